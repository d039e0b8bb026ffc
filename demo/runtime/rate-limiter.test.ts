import { expect, it } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

it('admits as many a second as the limit says, for each client, and obeys a new limit at once', () => {
  let time = 0;
  let limit = 10;
  const limiter = createRateLimiter(
    () => limit,
    () => time,
  );
  const admitted = (client: string, perSecond: number, seconds: number): number => {
    let count = 0;
    for (let index = 0; index < perSecond * seconds; index++) {
      time += 1000 / perSecond;
      if (limiter.admit(client)) count += 1;
    }
    return count;
  };
  admitted('a', 20, 2);
  expect(admitted('a', 20, 5)).toBe(50);
  expect(limiter.seen('a')).toBe(20);
  expect(admitted('b', 5, 5)).toBe(25);
  limit = 40;
  expect(admitted('a', 20, 5)).toBe(100);
});
