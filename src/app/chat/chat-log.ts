import type { ChatEvent, ChatEvents, ChatSnapshot } from './chat.ts';

/** How much of the newest is kept for those who listen: events, and characters of what they carry. */
const KEEP = 2_000;
const KEEP_CHARS = 2_000_000;
/** What one listener is given at once. */
const PIECE = 200;

export interface ChatLog {
  tell<K extends keyof ChatEvents>(type: K, data: ChatEvents[K]): void;
  listen(
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ChatEvent[], void, undefined>;
  listeners(): number;
  /** Ends all who listen; they come back by themselves. */
  close(): void;
}

/**
 * The newest events of one conversation, kept once for all who listen. A listener is a place in them: one that takes its
 * time costs nothing, and one that has fallen behind, or comes from another process, gets a snapshot in their stead.
 * `first`: where numbers begin. It grows from one process to the next, so that no place is mistaken for another.
 */
export function chatLog(snapshot: () => ChatSnapshot, first: number): ChatLog {
  let events: { readonly event: ChatEvent; readonly chars: number }[] = [];
  let chars = 0;
  /** All events after this place and up to `head` are at hand. */
  let from = first;
  let head = first;
  let count = 0;
  let closed = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of waiting) each();
  };

  const trim = (): void => {
    let drop = 0;
    while (events.length - drop > KEEP || (chars > KEEP_CHARS && events.length - drop > 1)) {
      chars -= events[drop]?.chars ?? 0;
      drop++;
    }
    if (drop === 0) return;
    from = events[drop - 1]?.event.seq ?? from;
    events = events.slice(drop);
  };
  const after = (place: number): ChatEvent[] => {
    const index = events.findIndex(({ event }) => event.seq > place);
    return index < 0 ? [] : merge(events.slice(index, index + PIECE).map(({ event }) => event));
  };
  const isAtHand = (place: number): boolean => place >= from && place <= head;
  const wait = async (place: number, signal: AbortSignal): Promise<void> => {
    if (place < head || signal.aborted || closed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    const leave = () => resolve();
    signal.addEventListener('abort', leave, { once: true });
    await promise;
    signal.removeEventListener('abort', leave);
    waiting.delete(resolve);
  };

  return {
    tell: (type, data) => {
      head++;
      const size = JSON.stringify(data).length;
      chars += size;
      events.push({ event: { type, data, seq: head } as ChatEvent, chars: size });
      trim();
      wake();
    },
    listeners: () => count,
    close: () => {
      closed = true;
      wake();
    },
    async *listen(asked, signal) {
      count++;
      try {
        let place = asked;
        const isOver = () => signal.aborted || closed;
        while (!isOver()) {
          if (place === undefined || !isAtHand(place)) {
            place = head;
            yield [{ type: 'snapshot', data: snapshot(), seq: head }];
            continue;
          }
          const found = after(place);
          if (found.length > 0) {
            place = found.at(-1)?.seq ?? place;
            yield found;
          } else await wait(place, signal);
        }
      } finally {
        count--;
      }
    },
  };
}

/** Pieces of the same text that follow each other become one. */
function merge(events: readonly ChatEvent[]): ChatEvent[] {
  const merged: ChatEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (last?.type === 'grow' && event.type === 'grow' && last.data.index === event.data.index)
      merged[merged.length - 1] = {
        ...event,
        data: { index: event.data.index, text: last.data.text + event.data.text },
      };
    else merged.push(event);
  }
  return merged;
}
