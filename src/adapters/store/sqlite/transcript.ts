import type { AgentEvent, MessageState, StoredMessage } from '#spec/data';
import type { Fact, Transcript } from '#spec/ports';
import { appendMessages } from './append-messages.ts';
import type { Connection } from './connection.ts';
import { draftKeeper } from './draft-keeper.ts';
import { messageReader } from './message-reader.ts';
import { MESSAGE_COLUMNS, type MessageRow } from './message-row.ts';
import { noSession } from './sessions.ts';
import type { WriteQueue } from './write-queue.ts';

interface FactRow {
  readonly seq: number;
  readonly type: string;
  readonly at: number;
  readonly data: string;
}

export function transcript(connection: Connection, queue: WriteQueue): Transcript {
  const number = connection.prepare<[string], number>('SELECT n FROM sessions WHERE id = ?').pluck();
  const sessionNumber = (id: string): number => {
    const found = number.get(id);
    if (found === undefined) throw noSession(id);
    return found;
  };
  const readRows = connection.prepare<[string, string], MessageRow>(`
    SELECT ${MESSAGE_COLUMNS} FROM sessions s JOIN messages m ON m.session = s.n
    WHERE s.id = ? AND m.state IN (SELECT value FROM json_each(?)) ORDER BY m.position, m.n`);
  const readFacts = connection.prepare<[string, number, number], FactRow>(
    'SELECT seq, type, at, data FROM facts WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?',
  );
  const append = appendMessages(connection);
  const appendFacts = factWriter(connection);
  const setState = stateWriter(connection);
  const toMessage = messageReader(connection);
  const drafts = draftKeeper(connection);

  return {
    append: (session, entries, facts) =>
      queue.write(() => {
        const stored = append({ id: session, n: sessionNumber(session) }, entries);
        appendFacts(session, facts);
        if (entries.length > 0) drafts.clear(session);
        return stored;
      }),
    draft: (session, text) => drafts.keep(session, text),
    takeDraft: (session) => queue.write(() => drafts.take(session)),
    read: (session, states = ['active']) =>
      queue.read(() => readRows.all(session, JSON.stringify(states)).map(toMessage)),
    rewrite: (session, { ids, state, entries }, facts) =>
      queue.write((): readonly StoredMessage[] => {
        const n = sessionNumber(session);
        const places = setState(n, ids, state, entries.length);
        const placed = entries.map((entry, at) => ({ position: places[at] as number, ...entry }));
        const stored = append({ id: session, n }, ids.length > 0 ? placed : entries);
        appendFacts(session, facts);
        return stored;
      }),
    facts: (session, afterSeq, limit) =>
      queue.read(() => readFacts.all(session, afterSeq, limit).map((row) => toEvent(session, row))),
  };
}

/** Facts are numbered without gaps within their stream, and named by it. */
function toEvent(stream: string, { seq, type, at, data }: FactRow): AgentEvent {
  const envelope = { id: `${stream}:${seq}`, stream, seq, at: new Date(at).toISOString() };
  return { ...envelope, type, data: JSON.parse(data) as unknown } as AgentEvent;
}

function factWriter(connection: Connection): (stream: string, facts: readonly Fact[]) => void {
  const last = connection
    .prepare<[string], number | null>('SELECT max(seq) FROM facts WHERE stream = ?')
    .pluck();
  const insert = connection.prepare('INSERT INTO facts (stream, seq, type, at, data) VALUES (?, ?, ?, ?, ?)');
  return (stream, facts) => {
    if (facts.length === 0) return;
    let seq = last.get(stream) ?? 0;
    for (const { type, at, data } of facts) insert.run(stream, ++seq, type, at, JSON.stringify(data ?? null));
  };
}

/**
 * Sets the state of the messages that are named and gives `count` positions in the place of the first of them, all
 * before the next message that stays active.
 */
function stateWriter(
  connection: Connection,
): (session: number, ids: readonly string[], state: MessageState, count: number) => readonly number[] {
  const set = connection.prepare(`
    UPDATE messages SET state = ? WHERE session = ? AND id IN (SELECT value FROM json_each(?))`);
  const first = connection
    .prepare<[number, string], number | null>(
      'SELECT min(position) FROM messages WHERE session = ? AND id IN (SELECT value FROM json_each(?))',
    )
    .pluck();
  const following = connection
    .prepare<[number, number], number | null>(
      "SELECT min(position) FROM messages WHERE session = ? AND position > ? AND state = 'active'",
    )
    .pluck();
  const recount = connection.prepare(`
    UPDATE sessions SET messages =
      (SELECT count(*) FROM messages WHERE session = sessions.n AND state <> 'undone') WHERE n = ?`);

  return (session, ids, state, count) => {
    const named = JSON.stringify(ids);
    const place = first.get(session, named) ?? 0;
    set.run(state, session, named);
    recount.run(session);
    const step = ((following.get(session, place) ?? place + 1) - place) / Math.max(1, count);
    return Array.from({ length: count }, (_, at) => place + at * step);
  };
}
