import { expect, it } from 'vitest';
import { medianToRecover } from './median-to-recover.ts';

const took = (ms: number, state: 'recovered' | 'closed' = 'recovered') => ({
  state,
  startsAt: '2026-01-01T00:00:00Z',
  closedAt: Date.UTC(2026, 0, 1) + ms,
});

it('is the middle of those that recovered', () => {
  expect(medianToRecover([])).toBeUndefined();
  expect(medianToRecover([took(5_000)])).toBe(5_000);
  expect(medianToRecover([took(9_000), took(1_000), took(3_000), took(1, 'closed')])).toBe(3_000);
  expect(medianToRecover([took(4_000), took(2_000)])).toBe(3_000);
});
