import { describe, expect, it } from 'vitest';
import { costOf } from './cost.ts';

const usage = {
  input: 1_000_000,
  output: 200_000,
  cacheRead: 500_000,
  cacheWrite: 100_000,
  reasoning: 150_000,
};
const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };

describe('costOf', () => {
  it('charges each kind of token at its own price, and thinking once, as output', () => {
    expect(costOf(usage, price, '5m')).toBeCloseTo(3 + 3 + 0.15 + 0.375, 10);
  });

  it('charges writes that live for an hour at their own price', () => {
    expect(costOf(usage, price, '1h')).toBeCloseTo(3 + 3 + 0.15 + 0.6, 10);
  });

  it('takes the input price where no cache price is known', () => {
    expect(costOf(usage, { input: 2, output: 10 }, '1h')).toBeCloseTo(2 + 2 + 1 + 0.2, 10);
  });

  it('takes a price of zero for what it is', () => {
    expect(costOf(usage, { ...price, cacheRead: 0, cacheWrite5m: 0 }, 'off')).toBeCloseTo(6, 10);
  });

  it('is nothing for nothing', () => {
    expect(costOf({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }, price, '5m')).toBe(0);
  });
});
