import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

describe('backoffMs', () => {
  it('doubles from two seconds to a minute', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 60].map((retry) => backoffMs(retry, () => 0));
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('adds up to half of it, so that many callers do not come back together', () => {
    expect(backoffMs(1, () => 0.5)).toBe(2_500);
    expect(backoffMs(1, () => 0.999_999)).toBe(3_000);
    expect(backoffMs(10, () => 0.999_999)).toBe(90_000);
  });

  it('gives whole milliseconds', () => {
    expect(Number.isInteger(backoffMs(3, () => 0.123_456_7))).toBe(true);
  });
});
