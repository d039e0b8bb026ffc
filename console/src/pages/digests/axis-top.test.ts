import { expect, it } from 'vitest';
import { countTop, durationTop } from './axis-top.ts';

it('ends axes at round numbers above everything', () => {
  expect([0, 1, 2, 3, 7, 8].map(countTop)).toEqual([2, 2, 2, 4, 8, 8]);
  expect([0, 1_500, 61_000, 1_946_000].map(durationTop)).toEqual([2_000, 2_000, 120_000, 3_600_000]);
  expect(durationTop(3.1 * 3_600_000)).toBe(4 * 3_600_000);
});
