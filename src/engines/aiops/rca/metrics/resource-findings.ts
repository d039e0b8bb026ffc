import type { MetricSeries } from '#spec/data';
import { type Finding, soft } from '../finding.ts';
import { swung } from '../words.ts';
import { median } from '../stats.ts';
import { incidentWindow, valuesWithin, type Windows } from '../windows.ts';
import { measureChange, type MeasuredChange } from './measure-change.ts';
import { isWhole, type Signal } from './read-metric-name.ts';
import type { NamedSeries } from './service-impact.ts';

/**
 * How directly a resource tells the place of a fault. A pod's own processor, memory and disk are moved by what happens
 * inside it; pools and bytes on the wire also by its neighbours; the machine below is shared.
 */
const DIRECTNESS: Partial<Record<Signal, number>> = {
  cpu: 1,
  memory: 0.9,
  disk: 0.7,
  restarts: 1,
  saturation: 0.7,
  network: 0.3,
};
const NODE_SHARE = 0.3;
/** Three robust standard deviations, and more than the baseline practically ever did. */
const LEAST_SIGMAS = 3;
const LEAST_NOVELTY = 1;
/** Twice as much is half of what a fold can say; three times the largest swing, half of what novelty can say. */
const HALF_FOLD = Math.log(2);
const HALF_NOVELTY = Math.log(3);
/** A rise by half of what such services usually need is half of what its size can say: idle ones may not shout. */
const HALF_OF_USUAL = 0.5;

/** Resources of single services that left their range by more than their traffic explains. */
export function resourceFindings(metrics: readonly NamedSeries[], windows: Windows): Finding[] {
  const surge = requestFolds(metrics, windows);
  const levels = usualLevels(metrics, windows);
  return metrics.flatMap((named) => {
    const { series, meaning } = named;
    const directness = DIRECTNESS[meaning.signal];
    if (directness === undefined || meaning.side === 'client') return [];
    const change = changeOf(named, windows);
    if (!change || Math.abs(change.sigmas) < LEAST_SIGMAS || change.novelty <= LEAST_NOVELTY) return [];
    if (meaning.signal === 'saturation' && isChance(series, change)) return [];
    if (meaning.signal === 'saturation' && meaning.bad === 'up' && change.delta < 0) return [];
    const beyondTraffic = Math.log(foldOf(change)) - Math.log(Math.max(1, surge.get(series.service) ?? 1));
    const strength =
      directness *
      (meaning.side === 'node' ? NODE_SHARE : 1) *
      soft(Math.log(change.novelty), HALF_NOVELTY) *
      soft(beyondTraffic, HALF_FOLD) *
      soft(Math.abs(change.delta) / (levels.get(series.metric) ?? 0), HALF_OF_USUAL);
    if (strength <= 0) return [];
    return [
      {
        source: 'resource',
        service: series.service,
        strength,
        category: categoryOf(meaning.signal, series.metric, change),
        evidence: {
          kind: 'metric',
          service: series.service,
          summary: swung(series, change),
          query: `${series.metric}{service="${series.service}"}`,
          window: incidentWindow(windows),
          baseline: change.before,
          during: change.during,
        },
      } satisfies Finding,
    ];
  });
}

/** Things that come and go are counted, and counts scatter by their root. Means over processes need not be whole. */
const isChance = ({ metric, values }: MetricSeries, { before, delta }: MeasuredChange): boolean =>
  Math.abs(delta) < LEAST_SIGMAS * Math.sqrt(Math.max(1, Math.abs(before))) &&
  (COUNTED.test(metric) || values.every(Number.isInteger));
const COUNTED =
  /(?:in_?flight|connections?|conns|active_requests|waiting|pending|queue(?:_?(?:size|length|depth))?)$/i;

export const changeOf = ({ series, meaning }: NamedSeries, windows: Windows): MeasuredChange | undefined =>
  measureChange(
    valuesWithin(series, windows.baseline),
    valuesWithin(series, windows.incident),
    meaning.bad,
    valuesWithin(series, [windows.alert, windows.incident[1]]),
  );

/** How many times as much, or as little; the scale keeps a level of zero from making it endless. */
export function foldOf({ before, during, scale }: MeasuredChange): number {
  const [one, other] = [Math.abs(before) + scale, Math.abs(during) + scale];
  return Math.max(one, other) / Math.min(one, other);
}

/** What services usually have of each metric: the median over them, of all that have any. */
function usualLevels(metrics: readonly NamedSeries[], windows: Windows): ReadonlyMap<string, number> {
  const asked = metrics.filter(({ meaning }) => DIRECTNESS[meaning.signal] !== undefined);
  const medians = Map.groupBy(asked, ({ series }) => series.metric);
  return new Map(
    [...medians].map(([metric, named]) => {
      const levels = named
        .map(({ series }) => Math.abs(median(valuesWithin(series, windows.baseline))))
        .filter((level) => level > 0);
      return [metric, levels.length ? median(levels) : 0];
    }),
  );
}

/** By how much the requests of each service grew. */
function requestFolds(metrics: readonly NamedSeries[], windows: Windows): ReadonlyMap<string, number> {
  const folds = new Map<string, number>();
  for (const named of metrics) {
    const { signal, side } = named.meaning;
    if (signal !== 'requests' || side !== 'server' || !isWhole(named.meaning)) continue;
    const change = changeOf(named, windows);
    if (change && change.delta > 0) folds.set(named.series.service, foldOf(change));
  }
  return folds;
}

/** Whoever waits for a connection lacks one; connections in use and requests in flight only show that something takes long. */
const LACKS_CONNECTION =
  /(?:pool|conn\w*).*(?:wait|pending|timeout|exhaust|saturat|utili[sz])|(?:pool|conn\w*)_(?:ratio|pct|percent)/i;
const LOCKED_CACHE = /(?:cache|redis|memcache\w*|key).*lock|hot_?key/i;
const QUEUED =
  /in_?flight|active_requests|queue|backlog|threads?|goroutines|connections?|conns|in_use|sockets?/i;

function categoryOf(signal: Signal, metric: string, change: MeasuredChange): Finding['category'] {
  if (signal === 'restarts') return 'crash_loop';
  if (signal === 'disk') return 'disk';
  if (signal === 'network') return 'network_delay';
  if (signal !== 'saturation') return 'resource_exhaustion';
  if (change.delta < 0) return 'service_fault';
  if (LOCKED_CACHE.test(metric)) return 'hot_key';
  if (LACKS_CONNECTION.test(metric)) return 'connection_pool';
  return QUEUED.test(metric) ? 'service_fault' : 'resource_exhaustion';
}
