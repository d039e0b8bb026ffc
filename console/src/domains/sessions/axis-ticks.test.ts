import { expect, it } from 'vitest';
import { axisTicks } from './axis-ticks.ts';
import { shownCost } from './cost.ts';

it('divides a span by round numbers and reaches its end', () => {
  expect(axisTicks(2_650, 6)).toEqual([0, 500, 1_000, 1_500, 2_000, 2_500, 3_000]);
  expect(axisTicks(1_000, 5)).toEqual([0, 200, 400, 600, 800, 1_000]);
  expect(axisTicks(0.07, 4).at(-1)).toBeCloseTo(0.08);
  expect(axisTicks(0, 5)).toEqual([0]);
});

it('shows small amounts with more digits', () => {
  expect([0, 0.000_01, 0.009, 0.0123, 4.5].map(shownCost)).toEqual([
    '$0',
    '<$0.0001',
    '$0.0090',
    '$0.0123',
    '$4.50',
  ]);
});
