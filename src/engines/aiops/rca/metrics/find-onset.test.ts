import { describe, expect, it } from 'vitest';
import { findOnset } from './find-onset.ts';
import { nameSeries } from './service-impact.ts';

const windows = { baseline: [0, 99], incident: [100, 130], alert: 110 } as const;
const onsetOf = (value: (time: number) => number, metric = 'latency_ms_avg'): number | undefined => {
  const times = Array.from({ length: 131 }, (_, index) => index);
  const [named] = nameSeries([{ service: 'a', metric, times, values: times.map(value) }]);
  return named && findOnset(named, windows);
};
const wobble = (time: number): number => 50 + (time % 3);

describe('findOnset', () => {
  it('finds a step in the incident', () => {
    expect(onsetOf((time) => (time >= 104 ? 300 : wobble(time)))).toBe(104);
  });

  it('finds a climb that began long before the alert, in the baseline', () => {
    const onset = onsetOf((time) => (time >= 60 ? 50 + (time - 60) * 10 : wobble(time)));
    expect(onset).toBeGreaterThan(60);
    expect(onset).toBeLessThan(70);
  });

  it('is not ended by one sample inside the range, and not begun by one outside', () => {
    expect(onsetOf((time) => (time >= 104 && time !== 110 ? 300 : wobble(time)))).toBe(104);
    expect(onsetOf((time) => (time === 110 ? 300 : wobble(time)))).toBeUndefined();
  });

  it('does not take an improvement for a symptom', () => {
    expect(onsetOf((time) => (time >= 104 ? 5 : wobble(time)))).toBeUndefined();
    expect(onsetOf((time) => (time >= 104 ? 5 : wobble(time)), 'availability_pct')).toBe(104);
  });
});
