import { describe, expect, it } from 'vitest';
import { median } from '../stats.ts';
import { thinSeries } from './thin-series.ts';

const times = Array.from({ length: 5_000 }, (_, at) => at);
const series = {
  service: 'web',
  metric: 'latency',
  times,
  values: times.map((at) =>
    at === 1_234 ? 900 : at === 4_321 ? -5 : 100 + (at % 7) + (at >= 2_500 ? 50 : 0),
  ),
};

describe('thinSeries', () => {
  it('keeps the middle of every part, the range and the order', () => {
    const thin = thinSeries(series, 200);
    expect(thin.times.length).toBeLessThanOrEqual(200);
    expect(thin.times.length).toBeGreaterThan(190);
    expect(thin.times).toEqual(thin.times.toSorted((one, other) => one - other));
    expect(Math.max(...thin.values)).toBe(900);
    expect(Math.min(...thin.values)).toBe(-5);
    expect(median(thin.values.filter((_, at) => (thin.times[at] ?? 0) < 2_500))).toBe(103);
    expect(median(thin.values.filter((_, at) => (thin.times[at] ?? 0) >= 2_500))).toBe(153);
    for (const [at, time] of thin.times.entries()) expect(thin.values[at]).toBe(series.values[time]);
  });

  it('leaves a short one as it is, and takes no more than it may', () => {
    const short = { ...series, times: [1, 2], values: [3, 4] };
    expect(thinSeries(short, 2)).toBe(short);
    for (const most of [0, 1, 2, 3]) expect(thinSeries(series, most).times.length).toBeLessThanOrEqual(most);
  });
});
