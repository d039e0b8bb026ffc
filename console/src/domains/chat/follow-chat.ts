import { CHAT_EVENTS, type ChatEvent } from './apply-chat.ts';

export type ChatLine = 'connecting' | 'live' | 'reconnecting' | 'refused';

interface ChatListener {
  readonly onEvents: (events: readonly ChatEvent[]) => void;
  readonly onLine: (line: ChatLine) => void;
  /** The server refused the stream. Resolves to whether trying again makes sense. */
  readonly onRefused: () => Promise<boolean>;
}

/** What arrives in this time is shown together. */
const GATHER_MS = 40;
const WAITS_MS = [500, 1_000, 2_000, 4_000];

/**
 * Follows one conversation until the function that it gives is called. The browser reconnects by itself and says where it
 * was; where it gives up, a new stream goes on after the last event.
 */
export function followChat(
  address: (after: string) => string,
  listener: ChatListener,
  open: (address: string) => EventSource = (at) => new EventSource(at),
): () => void {
  let last = '';
  let failures = 0;
  let over = false;
  let gathered: ChatEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;
  const flush = () => {
    timer = undefined;
    const events = gathered;
    gathered = [];
    listener.onEvents(events);
  };
  const hear = (type: ChatEvent['type']) => (event: MessageEvent<string>) => {
    last = event.lastEventId || last;
    gathered.push({ type, data: JSON.parse(event.data) });
    if (type === 'snapshot') flush();
    else timer ??= setTimeout(flush, GATHER_MS);
  };
  const refused = async () => {
    if (!(await listener.onRefused()) || over) return;
    retry = setTimeout(connect, WAITS_MS[Math.min(failures++, WAITS_MS.length - 1)]);
  };
  const connect = () => {
    const stream = open(address(last));
    source = stream;
    stream.addEventListener('open', () => {
      failures = 0;
      listener.onLine('live');
    });
    stream.addEventListener('error', () => {
      if (over) return;
      listener.onLine('reconnecting');
      if (stream.readyState !== 2) return;
      stream.close();
      void refused();
    });
    for (const type of CHAT_EVENTS) stream.addEventListener(type, hear(type));
  };
  listener.onLine('connecting');
  connect();
  return () => {
    over = true;
    clearTimeout(timer);
    clearTimeout(retry);
    source?.close();
  };
}
