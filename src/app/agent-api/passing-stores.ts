import type { FrozenPrefix, Session, StoredMessage } from '#spec/data';
import type { SessionStore, Transcript, TranscriptEntry } from '#spec/ports';

/** Stores for one conversation that ends with its request: nothing of it is written anywhere. */
export function passingStores(): { readonly sessions: SessionStore; readonly transcript: Transcript } {
  let row: { session: Session; prefix: FrozenPrefix } | undefined;
  let messages: StoredMessage[] = [];

  const add = (session: string, entries: readonly TranscriptEntry[]): StoredMessage[] => {
    const added = entries.map((entry, index): StoredMessage => {
      const end = Math.max(0, ...messages.map(({ position }) => position));
      const position = entry.position ?? Math.floor(end) + 1 + index;
      return { ...entry, session, position, seq: messages.length + 1 + index };
    });
    messages.push(...added);
    return added;
  };
  const inOrder = () => messages.toSorted((a, b) => a.position - b.position || a.seq - b.seq);

  return {
    sessions: {
      create: async (session, prefix) => void (row = { session, prefix }),
      get: async (id) => (row?.session.id === id ? row : undefined),
      list: async () => (row ? [row.session] : []),
      update: async (_, patch) => {
        if (row) row = { ...row, session: { ...row.session, ...patch } };
      },
      remove: async () => 0,
    },
    transcript: {
      append: async (session, entries) => add(session, entries),
      read: async (_, states = ['active']) => inOrder().filter(({ state }) => states.includes(state)),
      rewrite: async (session, { ids, state, entries }) => {
        const [first] = inOrder().filter(({ id }) => ids.includes(id));
        messages = messages.map((message) => (ids.includes(message.id) ? { ...message, state } : message));
        const placed = entries.map((entry) =>
          first && entry.position === undefined ? { ...entry, position: first.position } : entry,
        );
        return add(session, placed);
      },
      draft: () => undefined,
      takeDraft: async () => undefined,
      facts: async () => [],
    },
  };
}
