import { expect, it } from 'vitest';
import { usesByDay } from './uses-by-day.ts';

const use = (day: number, hour: number, success: boolean, calls = 2) => ({
  at: new Date(2026, 10, day, hour).getTime(),
  success,
  calls,
});

it('counts uses by local days, oldest first, and leaves empty days out', () => {
  const days = usesByDay([use(15, 23, true, 4), use(15, 0, false), use(12, 12, true), use(15, 1, true, 6)]);
  expect(days).toEqual([
    { time: new Date(2026, 10, 12).getTime() / 1000, good: 1, bad: 0, calls: 2 },
    { time: new Date(2026, 10, 15).getTime() / 1000, good: 2, bad: 1, calls: 4 },
  ]);
});

it('is empty where nothing was used', () => {
  expect(usesByDay([])).toEqual([]);
});
