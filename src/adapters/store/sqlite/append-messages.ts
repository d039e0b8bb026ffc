import type { StoredMessage, Usage } from '#spec/data';
import type { TranscriptEntry } from '#spec/ports';
import type { Connection } from './connection.ts';
import { packMessage } from './message-row.ts';

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

type Append = (
  session: { readonly id: string; readonly n: number },
  entries: readonly TranscriptEntry[],
) => readonly StoredMessage[];

/**
 * Adds messages to a session and keeps its totals. To be called within a transaction, whose lock is what keeps the
 * numbers without gaps when several processes write.
 */
export function appendMessages(connection: Connection): Append {
  const insert = connection.prepare(`
    INSERT INTO messages (id, session, seq, position, turn, at, role, state, kind, cost, usage, meta, content)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertBlob = connection.prepare('INSERT OR IGNORE INTO blobs VALUES (?, ?)');
  const useBlob = connection.prepare('INSERT OR IGNORE INTO blob_uses VALUES (?, ?)');
  const lastSeq = connection.prepare<[number], number>('SELECT last_seq FROM sessions WHERE n = ?').pluck();
  const lastPosition = connection
    .prepare<[number], number | null>('SELECT max(position) FROM messages WHERE session = ?')
    .pluck();
  const addTotals = connection.prepare(`
    UPDATE sessions SET last_seq = ?, messages = messages + ?, updated_at = max(updated_at, ?), cost = cost + ?,
      input = input + ?, output = output + ?, cache_read = cache_read + ?, cache_write = cache_write + ?,
      reasoning = reasoning + ?
    WHERE n = ?`);

  return ({ id: session, n }, entries) => {
    if (entries.length === 0) return [];
    let seq = lastSeq.get(n) ?? 0;
    let end = lastPosition.get(n) ?? 0;
    const stored = entries.map((entry): StoredMessage => {
      const position = entry.position ?? Math.floor(end) + 1;
      end = Math.max(end, position);
      return { ...entry, session, seq: ++seq, position };
    });
    for (const message of stored) {
      const { id, seq: number, position, turn, at, state, kind, usage, cost } = message;
      const { meta, content, blobs } = packMessage(message.message);
      const spent = usage ? JSON.stringify(usage) : null;
      const { role } = message.message;
      const values = [
        id,
        n,
        number,
        position,
        turn,
        at,
        role,
        state,
        kind,
        cost ?? null,
        spent,
        meta,
        content,
      ];
      const key = insert.run(...values).lastInsertRowid;
      for (const blob of blobs) {
        insertBlob.run(blob.hash, blob.data);
        useBlob.run(key, blob.hash);
      }
    }
    const { usage, cost } = sum(stored);
    const counted = stored.filter(({ state }) => state !== 'undone').length;
    const latest = Math.max(...stored.map(({ at }) => at));
    const tokens = [usage.input, usage.output, usage.cacheRead, usage.cacheWrite, usage.reasoning];
    addTotals.run(seq, counted, latest, cost, ...tokens, n);
    return stored;
  };
}

function sum(messages: readonly StoredMessage[]): { readonly usage: Usage; readonly cost: number } {
  const usage = { ...NOTHING };
  let cost = 0;
  for (const message of messages) {
    cost += message.cost ?? 0;
    if (!message.usage) continue;
    for (const key of Object.keys(usage) as (keyof Usage)[]) usage[key] += message.usage[key];
  }
  return { usage, cost };
}
