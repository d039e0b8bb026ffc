import type { MetricSeries } from '#spec/data';

export interface ServiceHealth {
  readonly service: string;
  readonly health: 'ok' | 'warn' | 'bad' | 'unknown';
  readonly requestsPerSecond?: number;
  readonly errorRatio?: number;
  readonly p95Ms?: number;
}

/** What counts as now. */
const NOW_SECONDS = 30;
const ERRORS = /^errors_[^@]+_per_second$/;

/** From these on a share of failures, or a latency against the usual one, is a trouble or a bad one. */
const WARN = { ratio: 0.01, times: 2, ms: 50 };
const BAD = { ratio: 0.05, times: 4, ms: 200 };
/** Failures that were there all the time are how things are. */
const USUAL_TIMES = 3;

/**
 * How services do in the last half minute of their series, against all that came before `since` (unix seconds). A service
 * without requests is not known to be well.
 */
export function healthOf(series: readonly MetricSeries[], since: number): readonly ServiceHealth[] {
  return [...Map.groupBy(series, ({ service }) => service)]
    .filter(([service]) => service !== '')
    .map(([service, own]) => ({ service, ...judged(own, since) }))
    .toSorted((one, other) => (one.service < other.service ? -1 : 1));
}

function judged(own: readonly MetricSeries[], since: number): Omit<ServiceHealth, 'service'> {
  const end = Math.max(...own.map(({ times }) => times.at(-1) ?? 0));
  const now = (at: number): boolean => at > end - NOW_SECONDS;
  const before = (at: number): boolean => at < since;
  const requests = meanOf(own, 'requests_per_second', now);
  const ratio = ratioOf(own, now);
  const usual = ratioOf(own, before);
  const p95 = meanOf(own, 'latency_p95_ms', now);
  const usualP95 = meanOf(own, 'latency_p95_ms', before);
  const known = requests !== undefined || ratio !== undefined || p95 !== undefined;
  const worse = ({ ratio: most, times, ms }: typeof WARN): boolean =>
    (ratio !== undefined && ratio >= most && ratio >= USUAL_TIMES * (usual ?? 0)) ||
    (p95 !== undefined && usualP95 !== undefined && p95 >= times * usualP95 && p95 - usualP95 >= ms);
  return {
    health: !known ? 'unknown' : worse(BAD) ? 'bad' : worse(WARN) ? 'warn' : 'ok',
    ...(requests === undefined ? {} : { requestsPerSecond: requests }),
    ...(ratio === undefined ? {} : { errorRatio: ratio }),
    ...(p95 === undefined ? {} : { p95Ms: p95 }),
  };
}

function ratioOf(own: readonly MetricSeries[], during: (at: number) => boolean): number | undefined {
  const told = meanOf(own, 'error_ratio', during);
  if (told !== undefined) return told;
  const requests = meanOf(own, 'requests_per_second', during);
  if (!requests) return undefined;
  const failed = own
    .filter(({ metric }) => ERRORS.test(metric))
    .reduce((sum, { metric }) => sum + (meanOf(own, metric, during) ?? 0), 0);
  return Math.min(1, failed / requests);
}

function meanOf(
  own: readonly MetricSeries[],
  metric: string,
  during: (at: number) => boolean,
): number | undefined {
  const found = own.find((one) => one.metric === metric);
  const values = found?.values.filter((_, index) => during(found.times[index] ?? 0)) ?? [];
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : undefined;
}
