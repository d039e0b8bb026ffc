import { sleep } from '#kit/sleep';
import { eventFrame, type PlacedEvent, RETRY_FRAME } from './event-frame.ts';

interface EventHubOptions {
  /** Events after a place, in order, or the last one alone. */
  readonly read: (after: number | 'last', limit: number) => Promise<readonly PlacedEvent[]>;
  /** How long to wait when there was nothing. */
  readonly everyMs?: number;
  /** How many of the newest events are kept at hand for everyone. */
  readonly keep?: number;
}

export interface EventHub {
  /** Server-sent events after a place, or from now on, until `signal` aborts. */
  listen(after: number | undefined, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined>;
  clients(): number;
}

const EVERY_MS = 100;
const KEEP = 2_000;
const BATCH = 500;
/** What one client is given at once. */
const PIECE = 200;
const RETRY = Buffer.from(RETRY_FRAME);

interface Line {
  readonly seq: number;
  readonly bytes: Uint8Array;
}

const lineOf = (event: PlacedEvent): Line => ({
  seq: event.seq,
  bytes: Buffer.from(eventFrame(event)),
});

/** Several lines as one: it ends where the last of them does. */
function piece(lines: readonly Line[]): Line | undefined {
  const last = lines.at(-1);
  return last && { seq: last.seq, bytes: Buffer.concat(lines.map(({ bytes }) => bytes)) };
}

/**
 * One look at the store for all who listen. The newest events are kept once, as they are sent; a client is only a place
 * in them, so one that takes its time costs nothing, and one that has fallen behind them reads the store by itself until
 * it has caught up. While nobody listens, nothing is read.
 */
export function openEventHub({ read, everyMs = EVERY_MS, keep = KEEP }: EventHubOptions): EventHub {
  let lines: Line[] = [];
  /** All events after this place and up to `head` are in `lines`. */
  let from = 0;
  let head = 0;
  let clients = 0;
  /** What was given last of what everyone has at hand. */
  let shared: { readonly place: number; readonly head: number; readonly piece: Line } | undefined;
  let looking: { readonly stop: AbortController; readonly ready: Promise<void> } | undefined;
  /** Those who wait for news. Each waits in a promise of its own: nothing that lives long gathers reactions. */
  const waiting = new Set<PromiseWithResolvers<void>>();

  const take = (events: readonly PlacedEvent[]): void => {
    if (events.length === 0) return;
    lines.push(...events.map(lineOf));
    head = events.at(-1)?.seq ?? head;
    if (lines.length > keep) {
      from = lines[lines.length - keep - 1]?.seq ?? from;
      lines = lines.slice(-keep);
    }
    for (const each of waiting) each.resolve();
  };
  const look = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const events = await read(head, BATCH);
      if (signal.aborted) return;
      take(events);
      if (events.length < BATCH) await sleep(everyMs, signal);
    }
  };
  const start = () => {
    const stop = new AbortController();
    const ready = read('last', 1).then(([last]) => {
      if (stop.signal.aborted) return;
      lines = [];
      head = last?.seq ?? 0;
      from = head;
      // Whoever listens is cut and comes back by itself: better than a stream that has silently gone dead.
      look(stop.signal).catch((thrown: unknown) => {
        if (stop.signal.aborted) return;
        looking = undefined;
        for (const each of waiting) each.reject(thrown);
      });
    });
    ready.catch(() => {
      if (!stop.signal.aborted) looking = undefined;
    });
    return { stop, ready };
  };
  /** What comes after a place, at most one piece of it. */
  const after = async (place: number): Promise<Line | undefined> => {
    if (place >= head) return undefined;
    // Those who keep up are all at the same place: they are sent the same bytes.
    if (shared?.place === place && shared.head === head) return shared.piece;
    if (place < from) {
      const events = await read(place, PIECE);
      if (events.length > 0) return piece(events.map(lineOf));
    }
    const index = lines.findIndex(({ seq }) => seq > place);
    const found = index < 0 ? undefined : piece(lines.slice(index, index + PIECE));
    if (found) shared = { place, head, piece: found };
    return found;
  };

  /** Resolves when something may have come, or nobody wants it any more. */
  const wait = async (place: number, signal: AbortSignal): Promise<void> => {
    if (place < head || signal.aborted) return;
    const own = Promise.withResolvers<void>();
    const leave = () => own.resolve();
    waiting.add(own);
    signal.addEventListener('abort', leave, { once: true });
    await own.promise.finally(() => {
      waiting.delete(own);
      signal.removeEventListener('abort', leave);
    });
  };

  return {
    clients: () => clients,
    async *listen(asked, signal) {
      clients++;
      try {
        await (looking ??= start()).ready;
        // A place that does not exist yet is one of a store that was put away.
        let place = Math.min(asked ?? head, head);
        yield RETRY;
        while (!signal.aborted) {
          const found = await after(place);
          if (!found) {
            place = Math.max(place, head);
            // Only here while somebody looks: whoever stopped looking has to be followed by somebody.
            await (looking ??= start()).ready;
            await wait(place, signal);
            continue;
          }
          place = found.seq;
          yield found.bytes;
        }
      } finally {
        clients--;
        if (clients === 0) {
          looking?.stop.abort();
          looking = undefined;
        }
      }
    },
  };
}
