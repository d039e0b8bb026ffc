import type { SpanRecord, Telemetry } from '#spec/data';
import { type Finding, HALF, soft } from '../finding.ts';
import { waitsForStore } from '../words.ts';
import { mean } from '../stats.ts';
import { incidentWindow, valuesWithin, type Windows } from '../windows.ts';
import { isWhole } from './read-metric-name.ts';
import { LEAST_SIGMAS } from './measure-change.ts';
import { changeOf, foldOf } from './resource-findings.ts';
import { bestStatistic, type NamedSeries } from './service-impact.ts';

/** Parts that databases play; no service is called so. */
const ROLE = /^(?:primary|replica)/i;

const HALF_NOVELTY = 1;
const HALF_FOLD = Math.log(2);

/**
 * Calls to databases that report nothing themselves are work of the service that makes them: databases of several
 * services may have one name. One that reports for itself stays a service of its own.
 */
export function withStores(metrics: readonly NamedSeries[], { spans, logs }: Telemetry): NamedSeries[] {
  const reporting = new Set([
    ...metrics.map(({ series }) => series.service),
    ...logs.map(({ service }) => service),
    ...spans.map(({ service }) => service),
  ]);
  const named = storeNames(spans);
  return metrics.map((entry) => {
    const { callee, ...meaning } = entry.meaning;
    if (callee === undefined || reporting.has(callee) || !(named.has(callee) || ROLE.test(callee)))
      return entry;
    return { series: entry.series, meaning: { ...meaning, side: 'client', store: callee } };
  });
}

/** What spans say of the databases that they ask, their names among it. */
export const storeNames = (spans: readonly SpanRecord[]): ReadonlySet<unknown> =>
  new Set(
    spans.flatMap(({ attributes = {} }) =>
      Object.entries(attributes).flatMap(([key, value]) => (key.startsWith('db.') ? [value] : [])),
    ),
  );

/** Services whose database keeps them waiting, by as much as that is of what they take themselves. */
export function storeFindings(metrics: readonly NamedSeries[], windows: Windows): Finding[] {
  const asked = metrics.filter(({ meaning }) => meaning.store !== undefined && meaning.version === undefined);
  const pairs = Map.groupBy(asked, ({ series, meaning }) => `${series.service}\n${meaning.store}`);
  return [...pairs.values()].flatMap((pair) => {
    const named = bestStatistic(pair.filter(({ meaning }) => meaning.signal === 'latency'));
    const change = named && changeOf(named, windows);
    if (!change || change.sigmas < LEAST_SIGMAS || change.novelty < 1) return [];
    const { series, meaning } = named;
    const own = ownMetrics(series.service, metrics);
    const strength =
      soft(change.novelty, HALF_NOVELTY) *
      soft(Math.log(foldOf(change)), HALF_FOLD) *
      // A database that takes half of what its user takes in all is half of what it can say.
      soft(shareOfOwn(change.delta, pair, own, windows), HALF);
    return [
      {
        source: 'store',
        service: series.service,
        strength,
        category: 'database_latency',
        evidence: {
          kind: 'metric',
          service: series.service,
          summary: waitsForStore(series, change, `${meaning.store}`),
          query: `${series.metric}{service="${series.service}"}`,
          window: incidentWindow(windows),
          baseline: change.before,
          during: change.during,
        },
      } satisfies Finding,
    ];
  });
}

const ownMetrics = (service: string, metrics: readonly NamedSeries[]): NamedSeries[] =>
  metrics.filter(
    ({ series, meaning }) => series.service === service && meaning.side === 'server' && isWhole(meaning),
  );

/** How much of a request of the service the added wait is: one slow query among hundreds of requests is none. */
function shareOfOwn(
  addedMs: number,
  pair: readonly NamedSeries[],
  own: readonly NamedSeries[],
  windows: Windows,
): number {
  const rate = (named: readonly NamedSeries[]): number | undefined => {
    const requests = named.find(({ meaning }) => meaning.signal === 'requests');
    const values = requests ? valuesWithin(requests.series, windows.incident) : [];
    return values.length ? mean(values) : undefined;
  };
  const [queries, requests] = [rate(pair), rate(own)];
  const perRequest = queries === undefined || !requests ? 1 : queries / requests;
  const latency = bestStatistic(own.filter(({ meaning }) => meaning.signal === 'latency'));
  const whole = latency && changeOf(latency, windows)?.during;
  return whole === undefined || whole <= 0 ? 1 : (addedMs * perRequest) / whole;
}
