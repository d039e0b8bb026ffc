import type { MetricSeries } from '#spec/data';
import { median, robustSpread } from '../stats.ts';
import { valuesWithin, type Windows } from '../windows.ts';
import { isWhole, type MetricMeaning, readMetricName } from './read-metric-name.ts';

export type ImpactKind = 'latency' | 'errors';

/** What one service made its callers suffer, sample by sample: how much slower or wronger than usual, times requests. */
export interface ServiceImpact {
  readonly service: string;
  readonly kind: ImpactKind;
  readonly metric: string;
  /** Whether the level is that of the slowest few. */
  readonly tail: boolean;
  readonly times: readonly number[];
  /** Latency, or the share of requests that failed. */
  readonly level: readonly number[];
  /** Requests in the sample; 1 where nobody counts them. */
  readonly weight: readonly number[];
  readonly usual: number;
  /** The spread of the level in the baseline. */
  readonly spread: number;
}

export interface NamedSeries {
  readonly series: MetricSeries;
  readonly meaning: MetricMeaning;
}

export const nameSeries = (metrics: readonly MetricSeries[]): NamedSeries[] =>
  metrics.map((series) => ({ series, meaning: readMetricName(series.metric) }));

/** The latency and the error share of every service that has them, each from the series that suits best. */
export function serviceImpacts(metrics: readonly NamedSeries[], windows: Windows): ServiceImpact[] {
  const byService = Map.groupBy(
    metrics.filter(({ meaning }) => meaning.side === 'server' && isWhole(meaning)),
    ({ series }) => series.service,
  );
  return [...byService].flatMap(([service, named]) => {
    const requests = named.find(({ meaning }) => meaning.signal === 'requests')?.series;
    const latency = bestStatistic(named.filter(({ meaning }) => meaning.signal === 'latency'));
    const errors = bestStatistic(named.filter(({ meaning }) => isErrorShare(meaning)));
    return [
      latency ? impact(service, 'latency', latency, requests, windows) : undefined,
      errors ? impact(service, 'errors', errors, requests, windows) : undefined,
    ].filter((found) => found !== undefined);
  });
}

/** Of several statistics of the same thing the one that tells most: a tail is what is left, means are named first. */
export function bestStatistic(named: readonly NamedSeries[]): NamedSeries | undefined {
  return named.toSorted(
    (one, other) =>
      Number(one.meaning.tail) - Number(other.meaning.tail) ||
      (one.series.metric < other.series.metric ? -1 : 1),
  )[0];
}

/** A share of requests that failed, or that went well. Counts of errors are not one. */
export const isErrorShare = ({ signal, share }: MetricMeaning): boolean =>
  share && (signal === 'errors' || signal === 'availability');

function impact(
  service: string,
  kind: ImpactKind,
  { series, meaning }: NamedSeries,
  requests: MetricSeries | undefined,
  windows: Windows,
): ServiceImpact | undefined {
  const level = kind === 'errors' ? failedShare({ series, meaning }) : series.values;
  const before = valuesWithin({ ...series, values: [...level] }, windows.baseline);
  if (!before.length) return undefined;
  const counted = new Map(requests?.times.map((time, index) => [time, requests.values[index] as number]));
  const typical = requests?.values.length ? median(requests.values) : 1;
  const { spread } = robustSpread(before);
  return {
    service,
    kind,
    metric: series.metric,
    tail: meaning.tail,
    times: series.times,
    level,
    weight: series.times.map((time) => (requests ? (counted.get(time) ?? typical) : 1)),
    usual: median(before),
    spread,
  };
}

/** The same series as the share that failed, where it tells the share that went well: one signal, one way. */
export const asFailures = (named: NamedSeries): NamedSeries =>
  named.meaning.signal === 'availability' && named.meaning.share
    ? {
        series: { ...named.series, values: failedShare(named) },
        meaning: { ...named.meaning, signal: 'errors', bad: 'up' },
      }
    : named;

/** Of one or of a hundred, of failures or of successes: whatever its name says, no share of one is two. */
function failedShare({ series: { values }, meaning: { signal, percent } }: NamedSeries): number[] {
  const whole = percent || values.some((value) => value >= 2) ? PERCENT : 1;
  return values.map((value) => (signal === 'availability' ? 1 - value / whole : value / whole));
}
const PERCENT = 100;
