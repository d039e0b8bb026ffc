import { expect, it } from 'vitest';
import { KNOCKS, lineBudget } from './line-budget.ts';

it('gives a burst, then a line a minute that counts what was left out, for each key', () => {
  let now = 0;
  const line = lineBudget(KNOCKS, () => now);
  const many = (key: string, n: number) => Array.from({ length: n }, () => line(key));
  expect(many('a', 60)).toEqual(Array.from({ length: 60 }, () => 0));
  expect(new Set(many('a', 5_000))).toEqual(new Set([undefined]));
  expect(line('b')).toBe(0);
  now += 60_000;
  expect(many('a', 3)).toEqual([5_000, undefined, undefined]);
  now += 60_000;
  expect(line('a')).toBe(2);
});
