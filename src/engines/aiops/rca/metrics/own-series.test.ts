import { describe, expect, it } from 'vitest';
import type { MetricSeries } from '#spec/data';
import { withOwnSeries } from './own-series.ts';
import { nameSeries } from './service-impact.ts';

const series = (service: string, metric: string, values: number[]): MetricSeries => ({
  service,
  metric,
  times: values.map((_, index) => index * 60),
  values,
});
const find = (
  metrics: ReturnType<typeof withOwnSeries>,
  service: string,
  metric: string,
): number[] | undefined =>
  metrics.find((named) => named.series.service === service && named.series.metric === metric)?.series.values;

describe('withOwnSeries', () => {
  it('adds requests of callers and averages their latency by requests', () => {
    const metrics = withOwnSeries(
      nameSeries([
        series('cart', 'requests_from_web', [30, 30]),
        series('cart', 'requests_from_app', [10, 10]),
        series('cart', 'latency_ms_avg_from_web', [100, 200]),
        series('cart', 'latency_ms_avg_from_app', [20, 20]),
      ]),
    );
    expect(find(metrics, 'cart', 'requests')).toEqual([40, 40]);
    expect(find(metrics, 'cart', 'latency_ms_avg')).toEqual([80, 155]);
  });

  it('takes the view of the callers for a service that nobody measures', () => {
    const metrics = withOwnSeries(nameSeries([series('web', 'error_rate_to_bank', [0, 0.5])]));
    expect(find(metrics, 'bank', 'error_rate')).toEqual([0, 0.5]);
  });

  it('leaves alone what is measured as a whole', () => {
    const given = nameSeries([series('cart', 'requests', [50]), series('cart', 'requests_from_web', [30])]);
    expect(withOwnSeries(given)).toEqual(given);
  });
});
