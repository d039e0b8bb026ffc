import { describe, expect, it } from 'vitest';
import { isOneSlip } from './one-slip.ts';

describe('isOneSlip', () => {
  it.each([
    ['pendng', 'pending'],
    ['pendiing', 'pending'],
    ['pemding', 'pending'],
    ['pednding', 'pendding'],
    ['pneding', 'pending'],
  ])('takes %s for %s', (one, other) => {
    expect(isOneSlip(one, other)).toBe(true);
    expect(isOneSlip(other, one)).toBe(true);
  });

  it.each([
    ['pndng', 'pending'],
    ['orders', 'older'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(isOneSlip(one, other)).toBe(false);
  });
});
