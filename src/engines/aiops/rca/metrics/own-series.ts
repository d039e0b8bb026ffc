import type { MetricSeries } from '#spec/data';
import { isWhole, type MetricMeaning } from './read-metric-name.ts';
import { isErrorShare, type NamedSeries, nameSeries } from './service-impact.ts';

/**
 * The series of services as wholes, for those that are only measured by caller, by version, by replica or from the other
 * end of their calls: what is counted is added, the rest is averaged by requests. What is measured as a whole stays as it
 * is.
 */
export function withOwnSeries(metrics: readonly NamedSeries[]): NamedSeries[] {
  const whole = new Set(
    metrics
      .filter(({ meaning }) => isWhole(meaning))
      .map(({ series }) => keyOf(series.service, series.metric)),
  );
  const served = metrics.filter(
    ({ meaning }) => meaning.callee === undefined && meaning.store === undefined && !isWhole(meaning),
  );
  const called = metrics.filter(
    ({ meaning }) => meaning.callee !== undefined && meaning.replica === undefined,
  );
  const isReplica = ({ meaning }: NamedSeries): boolean => meaning.replica !== undefined;
  const own = joined(
    served.filter((named) => !isReplica(named)),
    (named) => named.series.service,
    whole,
  );
  // Versions and callers are parts of the same whole: only where neither is known replicas make it up.
  const known = new Set([...whole, ...own.map(({ service, metric }) => keyOf(service, metric))]);
  const replicas = joined(served.filter(isReplica), (named) => named.series.service, known);
  // The callers' view is taken only for services that have none of their own.
  const measured = new Set([
    ...metrics.filter(({ meaning }) => meaning.callee === undefined).map(({ series }) => series.service),
  ]);
  const seen = nameSeries(
    joined(
      called.filter(({ meaning }) => !measured.has(meaning.callee ?? '')),
      (named) => named.meaning.callee ?? '',
      whole,
    ),
  );
  return [...metrics, ...nameSeries([...own, ...replicas, ...sharesOf(seen)]), ...seen];
}

/** Of those that only their callers count: how many of the calls failed, as a share. */
function sharesOf(seen: readonly NamedSeries[]): MetricSeries[] {
  return [...Map.groupBy(seen, ({ series }) => series.service).values()].flatMap((own) => {
    const requests = own.find(({ meaning }) => meaning.signal === 'requests');
    if (!requests || own.some(({ meaning }) => isErrorShare(meaning))) return [];
    return own.flatMap(({ series, meaning }) =>
      meaning.signal === 'errors'
        ? [failureShare(series, samples(requests.series), `${series.metric}_ratio`)]
        : [],
    );
  });
}

/** Requests by the second and failures by the minute do not go together: no more fail than were asked for. */
function failureShare(
  { service, times, values }: MetricSeries,
  requests: ReadonlyMap<number, number>,
  metric: string,
): MetricSeries {
  const shares = times.flatMap((time, at) => {
    const asked = requests.get(time) ?? 0;
    return asked > 0 ? [[time, (values[at] as number) / asked] as const] : [];
  });
  const most = shares.reduce((largest, [, share]) => Math.max(largest, share), 1);
  return {
    service,
    metric,
    times: shares.map(([time]) => time),
    values: shares.map(([, share]) => share / most),
  };
}

const keyOf = (service: string, metric: string): string => `${service}\n${metric}`;

function joined(
  parts: readonly NamedSeries[],
  serviceOf: (named: NamedSeries) => string,
  whole: ReadonlySet<string>,
): MetricSeries[] {
  const joinable = parts.filter(({ meaning }) => meaning.of === 'calls');
  const weights = new Map<string, ReadonlyMap<number, number>>();
  for (const named of joinable) {
    if (named.meaning.signal === 'requests') weights.set(partOf(named), samples(named.series));
  }
  const groups = Map.groupBy(joinable, (named) => keyOf(serviceOf(named), named.meaning.base));
  return [...groups].flatMap(([key, group]) => {
    const [service = '', metric = ''] = key.split('\n');
    return whole.has(key) ? [] : [join(service, metric, group, weights)];
  });
}

/** Which part of a service's traffic a series is of: the same for its requests and its latency. */
const partOf = ({ series, meaning }: NamedSeries): string =>
  [series.service, meaning.caller, meaning.callee, meaning.version, meaning.replica].join('\n');

const samples = ({ times, values }: MetricSeries): Map<number, number> =>
  new Map(times.map((time, index) => [time, values[index] as number]));

/** Requests, and failures that are no share of them. */
const isCounted = ({ signal, share }: MetricMeaning): boolean =>
  signal === 'requests' || (signal === 'errors' && !share);

function join(
  service: string,
  metric: string,
  group: readonly NamedSeries[],
  weights: ReadonlyMap<string, ReadonlyMap<number, number>>,
): MetricSeries {
  const adds = group[0] !== undefined && isCounted(group[0].meaning);
  const sums = new Map<number, { value: number; weight: number }>();
  for (const named of group) {
    const counted = weights.get(partOf(named));
    for (const [time, value] of samples(named.series)) {
      const weight = adds ? 1 : (counted?.get(time) ?? 1);
      const sum = sums.get(time) ?? { value: 0, weight: 0 };
      sums.set(time, { value: sum.value + value * weight, weight: sum.weight + weight });
    }
  }
  const ordered = [...sums].filter(([, { weight }]) => weight > 0).sort(([one], [other]) => one - other);
  return {
    service,
    metric,
    times: ordered.map(([time]) => time),
    values: ordered.map(([, { value, weight }]) => (adds ? value : value / weight)),
  };
}
