import type { AgentEvent, FrozenPrefix, Session, StoredMessage, Usage } from '#spec/data';
import type { Fact, TranscriptEntry } from '#spec/ports';
import type { Stores } from '../../../../src/engines/session/session-state.ts';

/** Stores that keep everything in memory, for tests. What a killed process leaves behind is what is here. */
export interface MemoryStores extends Stores {
  readonly rows: Map<string, { session: Session; prefix: FrozenPrefix }>;
  /** Every message ever written, whatever became of it. */
  all(session: string): readonly StoredMessage[];
  /** The facts of a session, in order, as type and data. */
  factsOf(session: string): Promise<{ seq: number; type: string; data: unknown }[]>;
}

export function memoryStores(): MemoryStores {
  const rows: MemoryStores['rows'] = new Map();
  const messages = new Map<string, StoredMessage[]>();
  const facts = new Map<string, AgentEvent[]>();
  const drafts = new Map<string, string>();

  const listOf = <T>(map: Map<string, T[]>, id: string): T[] => {
    if (!rows.has(id)) throw new Error(`there is no session '${id}'`);
    const list = map.get(id) ?? [];
    map.set(id, list);
    return list;
  };
  const addFacts = (id: string, added: readonly Fact[]) => {
    const list = listOf(facts, id);
    for (const { type, data, at } of added) {
      const seq = list.length + 1;
      const envelope = { id: `${id}:${seq}`, stream: id, seq, at: new Date(at).toISOString() };
      list.push({ ...envelope, type, data: structuredClone(data) } as AgentEvent);
    }
  };
  const addEntries = (id: string, entries: readonly TranscriptEntry[]): StoredMessage[] => {
    const list = listOf(messages, id);
    const added = entries.map((entry): StoredMessage => {
      const end = Math.max(0, ...list.map(({ position }) => position));
      const message = {
        ...entry,
        session: id,
        seq: list.length + 1,
        position: entry.position ?? Math.floor(end) + 1,
      };
      list.push(message);
      return message;
    });
    const row = rows.get(id);
    if (row) row.session = counted(row.session, added);
    return added;
  };

  return {
    rows,
    all: (id) => listOf(messages, id),
    factsOf: async (id) => listOf(facts, id).map(({ seq, type, data }) => ({ seq, type, data })),
    sessions: {
      create: async (session, prefix) => void rows.set(session.id, { session, prefix }),
      get: async (id) => rows.get(id),
      list: async () => [...rows.values()].map(({ session }) => session),
      update: async (id, patch) => {
        const row = rows.get(id);
        if (!row) throw new Error(`there is no session '${id}'`);
        row.session = { ...row.session, ...patch };
      },
      remove: async (ids) => ids.filter((id) => rows.delete(id)).length,
    },
    transcript: {
      append: async (id, entries, added) => {
        const stored = addEntries(id, entries);
        addFacts(id, added);
        if (entries.length) drafts.delete(id);
        return stored;
      },
      read: async (id, states = ['active']) =>
        listOf(messages, id)
          .filter(({ state }) => states.includes(state))
          .toSorted((a, b) => a.position - b.position || a.seq - b.seq),
      rewrite: async (id, { ids, state, entries }, added) => {
        const list = listOf(messages, id);
        for (const [at, message] of list.entries())
          if (ids.includes(message.id)) list[at] = { ...message, state };
        const stored = addEntries(id, entries);
        addFacts(id, added);
        return stored;
      },
      draft: (id, text) => void drafts.set(id, text),
      takeDraft: async (id) => {
        const text = drafts.get(id);
        drafts.delete(id);
        return text;
      },
      facts: async (id, after, limit) =>
        listOf(facts, id)
          .filter(({ seq }) => seq > after)
          .slice(0, limit),
    },
  };
}

function counted(session: Session, added: readonly StoredMessage[]): Session {
  const usage = { ...session.usage };
  for (const message of added)
    for (const kind of Object.keys(usage) as (keyof Usage)[]) usage[kind] += message.usage?.[kind] ?? 0;
  const cost = added.reduce((sum, message) => sum + (message.cost ?? 0), session.cost);
  return { ...session, usage, cost, messages: session.messages + added.length };
}
