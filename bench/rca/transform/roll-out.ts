import type { MetricSeries, Telemetry } from '#spec/data';
import { splitMetric } from './metric-name.ts';

const STEPS = 3;
const STEP_S = 120;
/** Two versions that do equally well are measured this much apart. */
const SCATTER = 0.02;

const COUNTED = /^requests(?:_per_s)?$/;
const MEASURED = /^(?:latency_ms_[a-z0-9]+|availability_pct|error_rate)$/;

/** A new version of a service that takes its traffic in three steps and does as well as the old one. */
export function rollOut(
  telemetry: Telemetry,
  service: string,
  from: number,
  count: number,
  random: () => number,
): Telemetry {
  const [before, after] = [`1.${count}.0`, `1.${count}.1`];
  const taken = (time: number): number => Math.min(1, Math.max(0, Math.ceil((time - from) / STEP_S) / STEPS));
  const part = (series: MetricSeries, version: string, share: (time: number) => number): MetricSeries => {
    const counts = COUNTED.test(series.metric);
    const kept = series.times.flatMap((time, index) => (share(time) > 0 ? [index] : []));
    const valueAt = (index: number): number => {
      const value = series.values[index] ?? 0;
      if (counts) return value * share(series.times[index] ?? 0);
      return series.metric.startsWith('latency') ? value * (1 + SCATTER * (random() - 0.5)) : value;
    };
    return {
      service,
      metric: `${series.metric}@${version}`,
      times: kept.map((index) => series.times[index] ?? 0),
      values: kept.map(valueAt),
    };
  };
  const versions = telemetry.metrics
    .filter((series) => {
      const { base, tail } = splitMetric(series.metric);
      return series.service === service && !tail && (COUNTED.test(base) || MEASURED.test(base));
    })
    .flatMap((series) => [part(series, before, (time) => 1 - taken(time)), part(series, after, taken)])
    .filter(({ times }) => times.length > 0);
  return {
    ...telemetry,
    metrics: [...telemetry.metrics, ...versions],
    changes: [
      ...(telemetry.changes ?? []),
      {
        id: `rollout-${count + 1}`,
        kind: 'deploy',
        service,
        time: new Date(Math.round(from) * 1000).toISOString(),
        summary: `${service} ${after}`,
        details: { from: before, to: after, version: after },
      },
    ],
  };
}
