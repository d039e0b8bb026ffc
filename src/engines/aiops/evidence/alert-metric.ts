import type { MetricSeries } from '#spec/data';
import { isWhole, type MetricMeaning, readMetricName } from '../rca/metrics/read-metric-name.ts';

const ASKED_ABOUT: ReadonlySet<MetricMeaning['signal']> = new Set(['latency', 'errors', 'availability']);

/**
 * The series that an alert is about. Rules call their metrics by other names than the signals that were collected: then
 * it is the service's own series of the same kind that shares most words with the alert. Without one the name stays.
 */
export function alertMetric(
  service: string | undefined,
  metric: string | undefined,
  series: readonly MetricSeries[],
): string | undefined {
  const own = series.filter((one) => one.service === service);
  if (metric === undefined || own.some((one) => one.metric === metric)) return metric;
  const wanted = readMetricName(metric);
  if (!ASKED_ABOUT.has(wanted.signal)) return metric;
  const alike = own
    .map((one) => ({ name: one.metric, meaning: readMetricName(one.metric) }))
    .filter(({ meaning }) => isSameKind(wanted, meaning))
    .map(({ name, meaning }) => ({
      name,
      shared: meaning.words.filter((word) => wanted.words.includes(word)).length,
      statistic: meaning.tail === wanted.tail ? 1 : 0,
    }))
    .toSorted(
      (one, other) =>
        other.shared - one.shared || other.statistic - one.statistic || (one.name < other.name ? -1 : 1),
    );
  return alike[0]?.name ?? metric;
}

const isSameKind = (wanted: MetricMeaning, meaning: MetricMeaning): boolean =>
  meaning.signal === wanted.signal && meaning.side === 'server' && isWhole(meaning);
