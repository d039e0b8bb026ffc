import { describe, expect, it } from 'vitest';
import { simulate, type SimulatedCase } from './simulate.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Quiet windows of one minute a sample, in which nothing is missing and everything is counted. */
const quiet = Array.from({ length: 24 }, (_, at) =>
  simulate({
    seed: `quiet ${at}`,
    fault: 'none_quiet',
    form: {
      step: 60,
      baselineSamples: 240,
      lead: 6,
      after: 4,
      apart: 0,
      late: false,
      gaps: 0,
      counts: 'count',
      scope: 'all',
      logs: 'none',
      traces: 0,
      signals: new Set(['requests', 'latency', 'failures']),
      statistics: ['avg'],
      byVersion: false,
      byEdge: 'no',
      byInstance: false,
      idle: 'zero',
    },
  }),
);

const seriesOf = (
  { telemetry, meanings }: SimulatedCase,
  key: string,
): { before: number[]; during: number[] }[] => {
  const since = Date.parse(telemetry.bundle.incident.start) / 1000;
  return telemetry.metrics.flatMap(({ times, values }, at) =>
    meanings[at]?.key === key
      ? [
          {
            before: values.filter((_, one) => (times[one] as number) < since),
            during: values.filter((_, one) => (times[one] as number) >= since),
          },
        ]
      : [],
  );
};

/** Where the mean of the last stretch stands among the means of equally long stretches before it. */
function pValue({
  before,
  during,
}: {
  before: readonly number[];
  during: readonly number[];
}): number | undefined {
  const length = Math.min(12, during.length);
  const blocks = Array.from({ length: Math.floor(before.length / length) }, (_, at) =>
    mean(before.slice(at * length, (at + 1) * length)),
  );
  if (new Set(blocks).size < blocks.length) return undefined;
  const centre = mean(before);
  const far = Math.abs(mean(during.slice(0, length)) - centre);
  return (1 + blocks.filter((block) => Math.abs(block - centre) >= far).length) / (1 + blocks.length);
}

describe('quiet windows', () => {
  it('look like chance to a plain test: neither all alike nor all alarming', () => {
    const values = quiet
      .flatMap((one) => seriesOf(one, 'latency').map(pValue))
      .filter((value) => value !== undefined);
    expect(values.length).toBeGreaterThan(100);
    const below = (limit: number): number => values.filter((value) => value <= limit).length / values.length;
    expect(below(0.1)).toBeGreaterThan(0.02);
    expect(below(0.1)).toBeLessThan(0.35);
    expect(below(0.5)).toBeGreaterThan(0.3);
    expect(below(0.5)).toBeLessThan(0.8);
  });

  it('have counts that vary more than chance, and latency that remembers itself', () => {
    const dispersion = quiet
      .flatMap((one) => seriesOf(one, 'requests_count'))
      .filter(({ before }) => mean(before) > 20);
    const wild = dispersion.filter(
      ({ before }) => mean(before.map((value) => (value - mean(before)) ** 2)) > 1.5 * mean(before),
    );
    expect(wild.length / dispersion.length).toBeGreaterThan(0.6);
    const kept = quiet
      .flatMap((one) => seriesOf(one, 'latency'))
      .map(({ before }) => autocorrelation(before));
    expect(mean(kept.filter(Number.isFinite))).toBeGreaterThan(0.1);
  });
});

function autocorrelation(values: readonly number[]): number {
  const centred = values.map((value) => value - mean(values));
  const next = centred.slice(1).reduce((sum, value, at) => sum + value * (centred[at] as number), 0);
  return next / centred.reduce((sum, value) => sum + value * value, 0);
}
