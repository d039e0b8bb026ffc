import { describe, expect, it } from 'vitest';
import type { Telemetry } from '#spec/data';
import { sampleSystem, withSeries } from '#testkit/bundles';
import { diagnose } from '../diagnose.ts';

/** Nothing of the alert can be looked up. */
const blind = (): Telemetry => {
  const { metric: _, ...bundle } = sampleSystem().bundle;
  return { ...sampleSystem(), bundle };
};
const moved = (
  telemetry: Telemetry,
  service: string,
  metric: string,
  before: number,
  after: number,
): Telemetry => withSeries(telemetry, service, metric, (_, during) => (during ? after : before));

describe('small effects', () => {
  it('are nobody’s fault, however steady it was before', () => {
    const slower = (ms: number): string => diagnose(moved(blind(), 'web', 'latency_ms_avg', 120, ms)).status;
    expect(slower(121)).toBe('no_incident');
    expect(slower(180)).toBe('concluded');
  });

  it('of a few calls count less than those of all', () => {
    const tail = moved(blind(), 'web', 'latency_ms_p99_to_orders', 50, 150);
    const scoreOf = (telemetry: Telemetry): number | undefined =>
      diagnose(telemetry).evidence.find(({ query }) => query.startsWith('latency_ms_p99'))?.score;
    const alone = scoreOf(tail) ?? 0;
    expect(alone).toBeGreaterThan(0);
    expect(scoreOf(moved(tail, 'web', 'latency_ms_mean_to_orders', 40, 90))).toBeCloseTo(alone, 1);
    expect(scoreOf(moved(tail, 'web', 'latency_ms_mean_to_orders', 40, 40)) ?? 0).toBeLessThan(alone);
  });

  it('of a database that is hardly asked are none', () => {
    const store = (perMinute: number): Telemetry =>
      moved(
        moved(blind(), 'orders', 'latency_ms_mean_to_primary', 4, 70),
        'orders',
        'requests_to_primary',
        perMinute,
        perMinute,
      );
    expect(diagnose(store(300)).hypotheses[0]).toMatchObject({
      service: 'orders',
      category: 'database_latency',
    });
    expect(diagnose(store(2)).status).toBe('no_incident');
  });

  it('for the better are none', () => {
    expect(diagnose(moved(blind(), 'orders', 'pool_wait_time_mean_ms', 90, 1)).status).toBe('no_incident');
    expect(diagnose(moved(blind(), 'orders', 'pool_wait_time_mean_ms', 1, 90)).status).toBe('concluded');
  });
});
