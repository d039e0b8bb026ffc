import { fail } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import type { RouteRequest } from '#spec/ports';

export interface StreamEvent {
  readonly type: string;
  readonly data: unknown;
  /** Where it stands. Events without one count as one batch: only the end of it has a place to resume from. */
  readonly seq?: number;
}

export interface EventStreamOptions {
  /** The place after which to begin. */
  readonly after: number;
  /** What came after a place, oldest first, and where to ask next. Quick, and bounded. */
  readonly poll: (
    after: number,
  ) => Promise<{ readonly events: readonly StreamEvent[]; readonly next: number }>;
  readonly signal: AbortSignal;
  /** How long to wait when there was nothing. */
  readonly everyMs?: number;
}

const EVERY_MS = 250;
/** How long a browser waits before it connects again. */
const RETRY_MS = 2_000;
export const RETRY_FRAME = `retry: ${RETRY_MS}\n\n`;

/**
 * Server-sent events, one whole event a piece, until `signal` aborts. `id:` is the place to resume after, so a client
 * that lost the line says `Last-Event-ID` and misses nothing; of a batch without places it may see some twice.
 */
export async function* eventStream(options: EventStreamOptions): AsyncGenerator<string, void, undefined> {
  const { poll, signal, everyMs = EVERY_MS } = options;
  let { after } = options;
  yield RETRY_FRAME;
  while (!signal.aborted) {
    const { events, next } = await poll(after);
    for (const [index, event] of events.entries()) {
      if (signal.aborted) return;
      const place = event.seq ?? (index === events.length - 1 ? next : undefined);
      yield frame(event, place);
    }
    after = next;
    if (!events.length && !(await sleep(everyMs, signal))) return;
  }
}

/** JSON has no line breaks, and a type that had one could not forge a line. */
export function frame({ type, data }: StreamEvent, place: number | undefined): string {
  const name = type.replace(/[\r\n]/g, ' ');
  return `${place === undefined ? '' : `id: ${place}\n`}event: ${name}\ndata: ${JSON.stringify(data) ?? 'null'}\n\n`;
}

/** Where a client wants to go on: its `Last-Event-ID`, or `after` of the query; undefined where it says nothing. */
export function resumeAfter({ headers, query }: Pick<RouteRequest, 'headers' | 'query'>): number | undefined {
  const text = headers['last-event-id'] || query.get('after');
  if (!text) return undefined;
  const place = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(place)) return place;
  throw fail('input.invalid', 'The place to resume after is not a whole number.');
}
