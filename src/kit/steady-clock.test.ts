import { expect, it } from 'vitest';
import { steadyClock } from './steady-clock.ts';

const DAY_MS = 86_400_000;

it('goes on when the wall clock is set back a day, and follows it forward', () => {
  let [wall, elapsed] = [10 * DAY_MS, 0];
  const now = steadyClock(
    () => wall,
    () => elapsed,
  );
  const pass = (ms: number) => {
    wall += ms;
    elapsed += ms;
    return now();
  };
  expect(pass(1_000)).toBe(10 * DAY_MS + 1_000);
  wall -= DAY_MS;
  expect(now()).toBe(10 * DAY_MS + 1_000);
  // What was to wake in five seconds wakes in five seconds, not in a day.
  expect(pass(5_000)).toBe(10 * DAY_MS + 6_000);
  // A machine that slept: the wall clock alone knows.
  wall += 2 * DAY_MS;
  expect(now()).toBe(11 * DAY_MS + 6_000);
});
