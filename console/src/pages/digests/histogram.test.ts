import { expect, it } from 'vitest';
import { histogram, placeOf, TICKS } from './histogram.ts';

it('spreads durations between a second and a day', () => {
  expect(TICKS.map((ms) => Math.round(placeOf(ms) * 100))).toEqual([0, 36, 72, 100]);
  expect(placeOf(0)).toBe(0);
  expect(placeOf(90_000_000)).toBe(1);
  const bins = histogram([0, 1_000, 60_000, 61_000, 86_400_000, 10 * 86_400_000]);
  expect(bins.filter(Boolean)).toEqual([2, 2, 2]);
  expect(bins.at(-1)).toBe(2);
});
