import { expect, it } from 'vitest';
import { besides, spanAt } from './span.ts';

const NOW = new Date(2026, 2, 4, 15, 30);
const lengths = (kind: 'day' | 'week' | 'month', day: string | null) => {
  const { from, to, day: first } = spanAt(kind, day, NOW);
  return [first, new Date(from).getHours(), Math.round((to - from) / 86_400_000)];
};

it('is the day, week or month that a day is part of', () => {
  expect(lengths('day', '2026-03-01')).toEqual(['2026-03-01', 0, 1]);
  // The first of March 2026 is a Sunday: the last day of a week that began in February.
  expect(lengths('week', '2026-03-01')).toEqual(['2026-02-23', 0, 7]);
  expect(lengths('week', '2026-03-02')).toEqual(['2026-03-02', 0, 7]);
  expect(lengths('month', '2026-02-17')).toEqual(['2026-02-01', 0, 28]);
});

it('is that of now where the address names no day', () => {
  for (const day of [null, '', 'yesterday', '2026-02-30', '2026-13-01'])
    expect(lengths('day', day)).toEqual(['2026-03-04', 0, 1]);
});

it('goes on and back without a gap', () => {
  for (const kind of ['day', 'week', 'month'] as const) {
    const here = spanAt(kind, '2026-03-31', NOW);
    expect(besides(kind, here, 1).from).toBe(here.to);
    expect(besides(kind, here, -1).to).toBe(here.from);
  }
});
