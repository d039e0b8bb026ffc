import { expect, it } from 'vitest';
import { afterDay, dateOf, dayOf } from './day.ts';

it('reads a day as it writes it', () => {
  expect(dayOf(dateOf('2026-03-02') ?? new Date(0))).toBe('2026-03-02');
  expect(dateOf('2026-03-02')?.getHours()).toBe(0);
});

it.each([null, '', '2026-3-2', '2026-02-30', '2026-13-01', '2026-00-10', 'yesterday'])(
  'takes %s for no day',
  (day) => {
    expect(dateOf(day)).toBeUndefined();
  },
);

it('knows the day after the last one of a month', () => {
  expect(dayOf(afterDay(new Date(2026, 1, 28)))).toBe('2026-03-01');
});
