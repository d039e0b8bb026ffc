import type { MetricSeries } from '#spec/data';
import { type Finding, HALF, soft } from '../finding.ts';
import { swung } from '../words.ts';
import { median } from '../stats.ts';
import { incidentWindow, valuesWithin, type Windows } from '../windows.ts';
import { LEAST_SIGMAS, measureChange, type MeasuredChange } from './measure-change.ts';
import { isWhole, type MetricMeaning, type Signal } from './read-metric-name.ts';
import type { NamedSeries } from './service-impact.ts';

/**
 * How directly a resource tells the place of a fault. A pod's own processor, memory and disk are moved by what happens
 * inside it; pools and bytes on the wire also by its neighbours; the machine below is shared.
 */
const DIRECTNESS: Partial<Record<Signal, number>> = {
  cpu: 1,
  memory: 1,
  disk: HALF,
  restarts: 1,
  saturation: HALF,
  waiting: HALF,
  network: HALF ** 2,
};
/** More than the baseline practically ever did. */
const LEAST_NOVELTY = 1;
/** Twice as much is half of what a fold can say. */
const HALF_FOLD = Math.log(2);

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
    if (isChance(series, meaning.signal, change)) return [];
    if (meaning.signal === 'waiting' && change.delta < 0) return [];
    const beyondTraffic = Math.log(foldOf(change)) - Math.log(Math.max(1, surge.get(series.service) ?? 1));
    const strength =
      directness *
      (meaning.side === 'node' ? HALF ** 2 : 1) *
      soft(Math.log(change.novelty), 1) *
      soft(beyondTraffic, HALF_FOLD) *
      // A rise by half of what such services usually need is half of what its size can say: idle ones may not shout.
      soft(Math.abs(change.delta) / (levels.get(series.metric) ?? 0), HALF);
    if (strength <= 0) return [];
    return [
      {
        source: 'resource',
        service: series.service,
        strength,
        category: categoryOf(meaning),
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

/** Things that come and go are counted, and counts scatter by their root. */
const isChance = ({ values }: MetricSeries, signal: Signal, { before, delta }: MeasuredChange): boolean =>
  (signal === 'saturation' || signal === 'waiting') &&
  Math.abs(delta) < LEAST_SIGMAS * Math.sqrt(Math.max(1, Math.abs(before))) &&
  values.every(Number.isInteger);

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

/** Whoever waits for a connection lacks one; those in use and requests in flight only show that something takes long. */
function categoryOf({ signal, words }: MetricMeaning): Finding['category'] {
  if (signal === 'restarts') return 'crash_loop';
  if (signal === 'disk') return 'disk';
  if (signal === 'network') return 'network_delay';
  if (signal === 'saturation') return 'service_fault';
  if (signal !== 'waiting') return 'resource_exhaustion';
  if (words.includes('cache')) return 'hot_key';
  return words.some((word) => word === 'pool' || word.startsWith('conn'))
    ? 'connection_pool'
    : 'service_fault';
}
