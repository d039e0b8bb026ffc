import type { MetricSeries } from '#spec/data';
import type { RawSeries } from './prometheus-api.ts';
import type { SignalQuery } from './signal-query.ts';

const NOBODY = new Set(['', 'unknown', 'none']);

/** The answer to one query as series of services. */
export function namedSeries({ by, metric }: SignalQuery, answer: readonly RawSeries[]): MetricSeries[] {
  return answer.flatMap(({ labels, times, values }) => {
    const service = labels[by] ?? '';
    const name = metric(labels);
    return NOBODY.has(service) || name === undefined || times.length === 0
      ? []
      : [{ service, metric: name, times, values }];
  });
}

/**
 * All answers together, in the order of the queries. Of two that measure the same signal of a service, the earlier one
 * counts; the later one stays only under its prefix. A version is of interest beside another one only, and a kind of
 * failure that was not there yet had happened zero times.
 */
export function collectSignals(
  answered: readonly { readonly query: SignalQuery; readonly series: readonly MetricSeries[] }[],
  services: readonly string[] | undefined,
): MetricSeries[] {
  const kept = new Map<string, MetricSeries>();
  for (const { query, series } of answered) {
    const before = new Set(kept.keys());
    for (const one of series) {
      if (services && !services.includes(one.service)) continue;
      const taken = before.has(keyOf(one));
      if (taken && query.prefix === undefined) continue;
      const named = taken ? { ...one, metric: `${query.prefix}${one.metric}` } : one;
      if (before.has(keyOf(named))) continue;
      const same = kept.get(keyOf(named));
      kept.set(keyOf(named), same ? together(same, named) : named);
    }
  }
  return compared([...kept.values()]).map((series) => filled(series, kept));
}

const keyOf = ({ service, metric }: MetricSeries): string => `${service}\n${metric}`;

/** Two addresses of one callee: rates add up, of anything else the first counts. */
const together = (one: MetricSeries, other: MetricSeries): MetricSeries =>
  merged(one, other, one.metric.includes('_per_second'));

function merged(one: MetricSeries, other: MetricSeries, adds: boolean): MetricSeries {
  const samples = new Map(other.times.map((time, at) => [time, other.values[at] as number]));
  for (const [at, time] of one.times.entries()) {
    samples.set(time, (one.values[at] as number) + (adds ? (samples.get(time) ?? 0) : 0));
  }
  const ordered = [...samples].sort(([a], [b]) => a - b);
  return { ...one, times: ordered.map(([time]) => time), values: ordered.map(([, value]) => value) };
}

function compared(all: readonly MetricSeries[]): MetricSeries[] {
  const versions = Map.groupBy(
    all.filter(({ metric }) => metric.startsWith('requests_per_second@')),
    ({ service }) => service,
  );
  return all.filter(
    ({ service, metric }) => !metric.includes('@') || (versions.get(service)?.length ?? 0) > 1,
  );
}

function filled(series: MetricSeries, all: ReadonlyMap<string, MetricSeries>): MetricSeries {
  const [, lead, rest] = /^(.*?)errors_[a-z0-9_]+?_per_second(.*)$/.exec(series.metric) ?? [];
  if (lead === undefined) return series;
  const requests = all.get(keyOf({ ...series, metric: `${lead}requests_per_second${rest}` }));
  if (!requests) return series;
  const zeros = { ...series, times: requests.times, values: requests.times.map(() => 0) };
  return merged(series, zeros, false);
}
