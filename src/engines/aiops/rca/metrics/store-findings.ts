import type { SpanRecord, Telemetry } from '#spec/data';
import { type Finding, soft } from '../finding.ts';
import { showNumber } from '../show-number.ts';
import { instant, type Windows } from '../windows.ts';
import { changeOf, foldOf } from './resource-findings.ts';
import type { NamedSeries } from './service-impact.ts';

/** Where spans name the database that they ask. */
const STORE_NAMES = ['db.namespace', 'db.name', 'db.instance'] as const;
/** Parts that databases play; no service is called so. */
const ROLE = /^(?:primary|replica|secondary|standby|master|slave|writer|reader)(?:[-_]?\d+)?$/i;

const LEAST_SIGMAS = 3;
const HALF_NOVELTY = 1;
const HALF_FOLD = Math.log(2);
/** A database that takes a quarter of what its user takes in all is half of what it can say. */
const HALF_OF_OWN = 0.25;

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

function storeNames(spans: readonly SpanRecord[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { attributes } of spans) {
    if (!attributes) continue;
    for (const key of STORE_NAMES) {
      const name = attributes[key];
      if (typeof name === 'string') names.add(name);
    }
  }
  return names;
}

/** Services whose database keeps them waiting, by as much as that is of what they take themselves. */
export function storeFindings(metrics: readonly NamedSeries[], windows: Windows): Finding[] {
  return metrics.flatMap((named) => {
    const { series, meaning } = named;
    if (meaning.store === undefined || meaning.signal !== 'latency' || meaning.statistic === 'tail')
      return [];
    const change = changeOf(named, windows);
    if (!change || change.sigmas < LEAST_SIGMAS || change.novelty < 1) return [];
    const own = ownLatency(series.service, metrics, windows);
    return [
      {
        source: 'store',
        service: series.service,
        strength:
          soft(change.novelty, HALF_NOVELTY) *
          soft(Math.log(foldOf(change)), HALF_FOLD) *
          (own === undefined ? 1 : soft(change.delta / Math.max(own, Number.MIN_VALUE), HALF_OF_OWN)),
        category: 'database_latency',
        evidence: {
          kind: 'metric',
          service: series.service,
          summary:
            `${series.metric} of ${series.service} went from ${showNumber(change.before)} to ` +
            `${showNumber(change.during)}: its database ${meaning.store} keeps it waiting`,
          query: `${series.metric}{service="${series.service}"}`,
          window: { start: instant(windows.incident[0]), end: instant(windows.incident[1]) },
          baseline: change.before,
          during: change.during,
        },
      } satisfies Finding,
    ];
  });
}

/** What a service takes for a request as a whole in the incident. */
function ownLatency(service: string, metrics: readonly NamedSeries[], windows: Windows): number | undefined {
  const own = metrics.find(
    ({ series, meaning }) =>
      series.service === service &&
      meaning.signal === 'latency' &&
      meaning.side === 'server' &&
      meaning.statistic !== 'tail' &&
      meaning.caller === undefined &&
      meaning.version === undefined,
  );
  return own && changeOf(own, windows)?.during;
}
