import type { KnownSecrets } from '#kit/redact';
import {
  lastSummaries,
  type Memory,
  type MemoryView,
  summariseSession,
  withoutSummary,
  type WriteSummary,
} from '#engines/memory';
import type { MemoryEntry, Session } from '#spec/data';
import type { Dependencies } from '../dependencies.ts';

type Needs = Pick<Dependencies, 'database' | 'settings'>;

export interface SummariesOptions {
  readonly memory: Memory;
  readonly view: MemoryView;
  readonly secrets: KnownSecrets;
  /** Absent where no model answers: then rules write. */
  readonly write: WriteSummary | undefined;
}

/** The summaries of the conversations that are led here: the layer between the talk itself and what is known for good. */
export interface ConversationSummaries {
  /** A turn is over. */
  ended(session: string): Promise<void>;
  /** The conversation goes on in another session. */
  left(session: string): Promise<void>;
  /** A new turn begins: a model that is writing gives way. */
  began(): void;
  /** The conversation is over: what is not yet summarised is. */
  close(): Promise<void>;
  /** What was summed up last, of others than the session that goes on. */
  last(session: string): Promise<readonly MemoryEntry[]>;
}

/** Whoever leaves does not wait longer than this for a model; what the rules wrote is kept then. */
const LEAVING_MS = 5_000;
const WRITING_MS = 60_000;
/** Conversations that a killed process may have left without a summary. */
const CAUGHT_UP = 3;
const LAST_TOLD = 2;
/** Conversations side by side that wait for their summary, where many share one memory. */
const MOST_WAITING = 200;

export function conversationSummaries(deps: Needs, options: SummariesOptions): ConversationSummaries {
  const { memory, view, secrets, write } = options;
  const { review_every: every } = deps.settings.memory;
  /** Turns since the last summary, by session. */
  const since = new Map<string, number>();
  let writing: AbortController | undefined;

  const summarise = async (id: string, mostMs?: number): Promise<void> => {
    const { sessions, transcript } = await deps.database();
    const stored = (await sessions.get(id))?.session;
    if (!stored) return;
    const messages = await transcript.read(id, ['active', 'archived']);
    since.delete(id);
    const given = { id, at: stored.updatedAt, messages };
    if (!write || mostMs === undefined)
      return void (await summariseSession({ memory, view, secrets }, given));
    writing = new AbortController();
    const signal = AbortSignal.any([writing.signal, AbortSignal.timeout(mostMs)]);
    await summariseSession({ memory, view, secrets }, given, { write, signal });
  };

  /** A process that was killed summed nothing up, and one that was just left may still be at it. */
  const catchUp = async (current: string): Promise<void> => {
    const { sessions } = await deps.database();
    const { source, user, chat } = view.audience;
    const newest = await sessions.list({ audience: { source, user, chat }, limit: CAUGHT_UP + 1 });
    const others = newest.filter(({ id, messages }: Session) => id !== current && messages > 0);
    for (const { id } of await withoutSummary({ memory, view }, others.slice(0, CAUGHT_UP)))
      await summarise(id);
  };

  return {
    ended: async (id) => {
      const turns = (since.get(id) ?? 0) + 1;
      since.set(id, turns);
      if (turns >= every) await summarise(id, WRITING_MS);
      const [oldest] = since.keys();
      if (oldest === undefined || since.size <= MOST_WAITING) return;
      await summarise(oldest);
      since.delete(oldest);
    },
    left: async (id) => {
      if (since.has(id)) await summarise(id, WRITING_MS);
    },
    began: () => writing?.abort(),
    close: async () => {
      for (const id of since.keys()) await summarise(id, LEAVING_MS);
    },
    last: async (session) => {
      await catchUp(session);
      return lastSummaries({ memory, view }, { except: session, limit: LAST_TOLD });
    },
  };
}
