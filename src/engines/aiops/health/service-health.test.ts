import { describe, expect, it } from 'vitest';
import type { MetricSeries } from '#spec/data';
import { healthOf } from './service-health.ts';

const SINCE = 1_000;
const times = [400, 700, 940, 1_200, 1_480, 1_500];
/** Before `SINCE` one value, in the last minute another. */
const series = (metric: string, usual: number, now: number): MetricSeries => ({
  service: 'shop',
  metric,
  times,
  values: [usual, usual, usual, (usual + now) / 2, now, now],
});

const judge = (...given: MetricSeries[]) => healthOf(given, SINCE)[0];

describe('healthOf', () => {
  it.each([
    ['ok', 0, 0],
    ['ok', 0, 0.005],
    ['warn', 0, 0.02],
    ['bad', 0.001, 0.1],
    // As bad as always is how things are.
    ['ok', 0.1, 0.12],
  ])('is %s when failures go from %d to %d', (health, usual, now) => {
    const judged = judge(series('requests_per_second', 10, 10), series('error_ratio', usual, now));
    expect(judged).toMatchObject({ service: 'shop', health, errorRatio: now, requestsPerSecond: 10 });
  });

  it.each([
    ['ok', 100, 140],
    // Twice nothing is nothing.
    ['ok', 2, 10],
    ['warn', 100, 250],
    ['bad', 100, 500],
    ['ok', 500, 100],
  ])('is %s when the latency goes from %d to %d ms', (health, usual, now) => {
    expect(judge(series('latency_p95_ms', usual, now))).toMatchObject({ health, p95Ms: now });
  });

  it('counts failures by their codes where nobody tells a ratio', () => {
    const judged = judge(
      series('requests_per_second', 20, 20),
      series('errors_503_per_second', 0, 1),
      series('errors_500_per_second', 0, 1),
      series('errors_per_second_to_db', 0, 9),
    );
    expect(judged).toMatchObject({ health: 'bad', errorRatio: 0.1 });
  });

  it('does not know how a service does that nobody asks', () => {
    expect(judge(series('cpu_usage', 0.1, 0.9))).toEqual({ service: 'shop', health: 'unknown' });
  });
});
