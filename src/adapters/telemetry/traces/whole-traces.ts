import type { SpanRecord, TimeWindow } from '#spec/data';
import { windowMs } from '../wire/time-window.ts';

interface Wanted {
  readonly window: TimeWindow;
  readonly services?: readonly string[];
  readonly errorsOnly?: boolean;
  readonly limit: number;
}

/** A trace has some spans at least; asking for more traces than that could never fit. */
const FEWEST_SPANS = 2;

/** So many traces are worth asking for where so many spans may come back. */
export const tracesToAsk = (spans: number, most: number): number =>
  Math.min(most, Math.max(1, Math.ceil(spans / FEWEST_SPANS)));

/**
 * Whole traces, as many as fit. Which ones is decided by their ids, which are random: a fair sample of the window, and
 * the same one the next time. A trace that does not fit as a whole is left out.
 */
export function wholeTraces(
  traces: Iterable<readonly SpanRecord[]>,
  { window, services, errorsOnly, limit }: Wanted,
): { items: SpanRecord[]; cut: boolean } {
  const { from, to } = windowMs(window);
  const isWithin = ({ start }: SpanRecord) => start * 1_000 >= from && start * 1_000 < to + 1;
  const byId = new Map([...traces].map((spans) => [spans[0]?.traceId ?? '', spans] as const));
  const wanted = [...byId.values()].filter(
    (spans) =>
      spans.some(isWithin) &&
      (!services || spans.some(({ service }) => services.includes(service))) &&
      (!errorsOnly || spans.some(({ error }) => error)),
  );
  const items: SpanRecord[] = [];
  let cut = false;
  for (const spans of wanted.toSorted(byTail)) {
    if (items.length + spans.length > limit) cut = true;
    else items.push(...spans);
  }
  return { items: items.toSorted((one, other) => one.start - other.start), cut };
}

/** The end of an id is random in every scheme; the beginning is a time in some. */
function byTail(one: readonly SpanRecord[], other: readonly SpanRecord[]): number {
  const [a, b] = [tail(one), tail(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}
const tail = (spans: readonly SpanRecord[]): string => [...(spans[0]?.traceId ?? '')].toReversed().join('');
