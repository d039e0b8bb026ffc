import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Telemetry } from '#spec/data';
import { callTraces, INCIDENT_START, sampleSystem, withSeries } from '#testkit/bundles';
import { diagnose } from './diagnose.ts';

const troubled = (): Telemetry => {
  const { spans, logs } = callTraces({
    calls: 15,
    delayMs: (during) => (during ? 300 : 2),
    says: (during) => [
      {
        level: during ? 'ERROR' : 'INFO',
        message: during ? 'Charge.java:44 refused' : 'Charge.java:40 charged',
      },
    ],
  });
  const slow = ['web', 'orders', 'payments'].reduce(
    (telemetry, service) =>
      withSeries(telemetry, service, 'latency_ms_avg', (usual, during) => (during ? usual + 300 : usual)),
    sampleSystem(),
  );
  const time = (minute: number): string => new Date((INCIDENT_START + minute * 60) * 1000).toISOString();
  const changes = [
    {
      id: 'one',
      kind: 'deploy' as const,
      service: 'payments',
      time: time(-2),
      summary: 'payments v2 charge',
    },
    { id: 'two', kind: 'deploy' as const, service: 'web', time: time(-3), summary: 'web v7' },
    {
      id: 'three',
      kind: 'flag' as const,
      service: 'orders',
      time: time(3),
      summary: 'fast_checkout off->on',
    },
  ];
  return { ...slow, spans, logs, changes };
};

describe('diagnose', () => {
  it('does not depend on the order of what it is given', () => {
    const telemetry = troubled();
    const expected = diagnose(telemetry);
    const shuffled = <T>(list: readonly T[]) =>
      fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length });
    fc.assert(
      fc.property(
        shuffled(telemetry.metrics),
        shuffled(telemetry.spans),
        shuffled(telemetry.logs),
        shuffled(telemetry.changes ?? []),
        (metrics, spans, logs, changes) => {
          expect(diagnose({ ...telemetry, metrics, spans, logs, changes })).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('gives the same verdict whatever unit a metric has', () => {
    const telemetry = troubled();
    const verdict = (given: Telemetry) => {
      const { status, hypotheses } = diagnose(given);
      return {
        status,
        first: hypotheses[0]?.service,
        change: hypotheses[0]?.change,
        category: hypotheses[0]?.category,
      };
    };
    const expected = verdict(telemetry);
    fc.assert(
      fc.property(
        fc.constantFrom('cpu', 'memory', 'latency_ms_avg', 'requests'),
        fc.constantFrom(0.001, 0.1, 60, 1024, 1e6),
        (metric, factor) => {
          const metrics = telemetry.metrics.map((series) =>
            series.metric === metric
              ? { ...series, values: series.values.map((value) => value * factor) }
              : series,
          );
          expect(verdict({ ...telemetry, metrics })).toEqual(expected);
        },
      ),
      { numRuns: 20 },
    );
  });
});
