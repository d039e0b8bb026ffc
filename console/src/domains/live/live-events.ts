import type { IncidentFact, IncidentFacts } from '#spec/data';
import { addressOf } from '../api/ask.ts';

/** Every kind of fact: an event stream gives each under its own name, and only names that are listened to are heard. */
const TYPES: Readonly<Record<keyof IncidentFacts, true>> = {
  'gateway.received': true,
  'alert.normalized': true,
  'incident.created': true,
  'incident.updated': true,
  'incident.closed': true,
  'evidence.collected': true,
  'rca.concluded': true,
  'rca.inconclusive': true,
  'rca.read': true,
  'action.proposed': true,
  'action.rehearsed': true,
  'checkpoint.created': true,
  'approval.requested': true,
  'approval.granted': true,
  'approval.denied': true,
  'approval.expired': true,
  'approval.refused': true,
  'execution.rehearsed': true,
  'execution.refused': true,
  'execution.started': true,
  'execution.finished': true,
  'recovery.verified': true,
  'recovery.failed': true,
  'lesson.recorded': true,
};

export type LiveState = 'connecting' | 'live' | 'reconnecting';

export interface LiveListener {
  readonly onFact: (fact: IncidentFact) => void;
  /** `again`: the line was lost before, so something may have been missed that no event tells. */
  readonly onState: (state: LiveState, again: boolean) => void;
  /** The server refused the stream: the session may have ended. */
  readonly onRefused: () => void;
}

const WAITS_MS = [1_000, 2_000, 4_000, 8_000];

/** How the stream is opened; a test gives its own. */
export type OpenSource = (address: string) => EventSource;

/**
 * One stream of facts, for as long as nobody calls the function that it gives. The browser reconnects by itself and says
 * where it was; where it gives up (the server refused), a new stream goes on after the last fact that was heard.
 */
export function listenToFacts(
  listener: LiveListener,
  open: OpenSource = (address) => new EventSource(address),
): () => void {
  let last = '';
  let lost = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;
  const hear = (event: MessageEvent<string>) => {
    last = event.lastEventId || last;
    const fact: IncidentFact = JSON.parse(event.data);
    listener.onFact(fact);
  };
  const connect = () => {
    const stream = open(addressOf('GET /api/events', { query: { after: last } }));
    source = stream;
    stream.addEventListener('open', () => {
      failures = 0;
      listener.onState('live', lost);
      lost = false;
    });
    stream.addEventListener('error', () => {
      lost = true;
      listener.onState('reconnecting', false);
      if (stream.readyState !== 2) return;
      stream.close();
      listener.onRefused();
      timer = setTimeout(connect, WAITS_MS[Math.min(failures++, WAITS_MS.length - 1)]);
    });
    for (const type of Object.keys(TYPES)) stream.addEventListener(type, hear);
  };
  listener.onState('connecting', false);
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
