import { describe, expect, it } from 'vitest';
import { iterationBudget } from './iteration-budget.ts';
import { loopGuard } from './loop-guard.ts';

describe('loopGuard', () => {
  it('counts the same call with the same result, also with others in between', () => {
    const { see } = loopGuard();
    const seen = Array.from({ length: 6 }, (_, i) => {
      see('other', String(i), 'x');
      return see('read', 'a', 'same');
    });
    expect(seen).toEqual(['fine', 'fine', 'warn', 'warn', 'warn', 'stop']);
  });

  it('tells name, arguments and result apart', () => {
    const { see } = loopGuard();
    const calls = [
      ['a', 'b', 'c'],
      ['a', 'bc', ''],
      ['ab', '', 'c'],
      ['a","b', '', 'c'],
    ] as const;
    for (let round = 0; round < 2; round++)
      for (const [name, args, result] of calls) expect(see(name, args, result)).toBe('fine');
  });
});

describe('iterationBudget', () => {
  it('is exhausted at its limit and takes calls back', () => {
    const budget = iterationBudget(2);
    budget.spend();
    expect(budget.exhausted).toBe(false);
    budget.spend();
    expect([budget.used, budget.exhausted]).toEqual([2, true]);
    budget.refund();
    expect([budget.used, budget.exhausted]).toEqual([1, false]);
  });

  it('never owes anything', () => {
    const budget = iterationBudget(1);
    budget.refund();
    budget.spend();
    expect(budget.exhausted).toBe(true);
  });
});
