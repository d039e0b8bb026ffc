import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import { sampleSystem, withSeries } from '#testkit/bundles';
import { diagnose } from '../rca/diagnose.ts';
import { measuredEvidence } from './measured-evidence.ts';

describe('measuredEvidence', () => {
  it('reads what the root cause really writes', () => {
    const failing = withSeries(
      sampleSystem({ service: 'orders', metric: 'error_rate', title: 'orders fails' }),
      'orders',
      'error_rate',
      (usual, during) => (during ? usual + 0.2 : usual),
    );
    const pinned = withSeries(failing, 'orders', 'cpu', (usual, during) => (during ? 100 : usual));
    const measured = measuredEvidence(diagnose(pinned));
    expect(measured).toContainEqual(
      expect.objectContaining({ metric: 'error_rate', service: 'orders', signal: 'errors' }),
    );
    expect(measured).toContainEqual(
      expect.objectContaining({ metric: 'cpu', service: 'orders', signal: 'cpu' }),
    );
  });

  it('reads versions and call edges', () => {
    const evidence = (metric?: string) => ({
      id: 'e',
      kind: 'metric' as const,
      summary: asText('something moved'),
      ...(metric === undefined ? {} : { series: { service: 'orders', metric } }),
      query: 'sum(rate(x[1m]))',
      window: { start: 'a', end: 'b' },
      baseline: 1,
      during: 2,
      score: 1,
    });
    const rca = {
      status: 'concluded' as const,
      hypotheses: [],
      missing: [],
      evidence: [evidence('latency_p95_ms@v2'), evidence('latency_ms_p95_to_coupons'), evidence()],
    };
    expect(measuredEvidence(rca).map(({ metric, callee }) => [metric, callee])).toEqual([
      ['latency_p95_ms@v2', undefined],
      ['latency_ms_p95_to_coupons', 'coupons'],
    ]);
  });
});
