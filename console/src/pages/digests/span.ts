import { dateOf, dayOf } from '../../domains/format/day.ts';

export const SPANS = ['day', 'week', 'month'] as const;
export type SpanKind = (typeof SPANS)[number];

/** A day, week or month of the calendar of this browser. `to` is no part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Its first day, as it stands in addresses: `2026-03-02`. */
  readonly day: string;
}

/** The one that a day is part of; that of `now` where the day is none. Weeks begin on Monday. */
export function spanAt(kind: SpanKind, day: string | null, now: Date): Span {
  const within = dateOf(day) ?? now;
  const [year, month, date] = [within.getFullYear(), within.getMonth(), within.getDate()];
  if (kind === 'month') return between(new Date(year, month, 1), new Date(year, month + 1, 1));
  const since = kind === 'week' ? (new Date(year, month, date).getDay() + 6) % 7 : 0;
  const first = date - since;
  return between(new Date(year, month, first), new Date(year, month, first + (kind === 'week' ? 7 : 1)));
}

/** The one before (-1) or after (1). */
export function besides(kind: SpanKind, { from, to }: Span, by: -1 | 1): Span {
  const edge = new Date(by > 0 ? to : from);
  const inside = by > 0 ? edge : new Date(edge.getFullYear(), edge.getMonth(), edge.getDate() - 1);
  return spanAt(kind, dayOf(inside), inside);
}

const between = (from: Date, to: Date): Span => ({
  from: from.getTime(),
  to: to.getTime(),
  day: dayOf(from),
});
