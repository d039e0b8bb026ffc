import { describe, expect, it } from 'vitest';
import { openRateLimit } from './rate-limit.ts';

describe('openRateLimit', () => {
  it('gives a burst, then one at a time, to each key', () => {
    let now = 0;
    const limit = openRateLimit({ perSecond: 2, burst: 2 }, () => now);
    expect([limit.take('a'), limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([0, 0, 500, 0]);
    now += 499;
    expect(limit.take('a')).toBeGreaterThan(0);
    now += 1;
    expect(limit.take('a')).toBe(0);
    now += 3_600_000;
    expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 500]);
  });

  it('forgets whoever was quiet for longest when there are too many', () => {
    const limit = openRateLimit({ perSecond: 0.001, burst: 1 }, () => 0);
    limit.take('first');
    limit.take('second');
    for (let count = 0; count < 9_998; count++) limit.take(`key ${count}`);
    limit.take('first');
    limit.take('one more');
    expect(limit.take('first')).toBeGreaterThan(0);
    expect(limit.take('second')).toBe(0);
  });
});
