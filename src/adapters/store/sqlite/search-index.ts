import type { StoredMessage } from '#spec/data';
import {
  type IndexEntry,
  SEARCH_FIELDS,
  type SearchHit,
  type SearchIndex,
  type UnindexedMessage,
} from '#spec/ports';
import type { Connection } from './connection.ts';
import { messageReader } from './message-reader.ts';
import { MESSAGE_COLUMNS, type MessageRow } from './message-row.ts';
import { once } from './once.ts';
import { audienceScope, scopeClauses } from './scope-clauses.ts';
import { frequencyReader, matchAny, weightedRank } from './term-query.ts';
import type { WriteQueue } from './write-queue.ts';

/** Statements over the index are made when they are first used: a damaged index must not keep the file shut. */
export function searchIndex(connection: Connection, queue: WriteQueue): SearchIndex {
  const toMessage = messageReader(connection);
  const putEntries = once(() => entryWriter(connection));
  const unindexed = once(() => unindexedReader(connection, toMessage));
  const frequencies = once(() => frequencyReader(connection));
  return {
    put: (entries) => queue.write(() => putEntries()(entries)),
    query: (terms, weights, scope, limit) =>
      queue.read(() => {
        const match = matchAny(terms);
        if (!match) return [];
        const { where, values } = scopeClauses(connection, scope);
        return connection
          .prepare<unknown[], MessageRow & { readonly rank: number }>(`
            SELECT ${MESSAGE_COLUMNS}, search.rank AS rank
            FROM search CROSS JOIN messages m ON m.n = search.rowid CROSS JOIN sessions s ON s.n = m.session
            WHERE search MATCH ? AND rank MATCH ? ${where} AND m.state <> 'undone'
            ORDER BY search.rank LIMIT ?`)
          .all(match, weightedRank(weights), ...values, limit)
          .map((row): SearchHit => {
            const message = toMessage(row);
            return { id: row.id, session: row.session_id, score: -row.rank, message };
          });
      }),
    phrase: (words, scope, limit) =>
      queue.read(() => {
        const { where, values } = audienceScope(scope);
        return connection
          .prepare<unknown[], MessageRow>(`
            SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN sessions s ON s.n = m.session
            WHERE m.content LIKE ? ESCAPE '\\' AND m.state <> 'undone' ${where} ORDER BY m.n DESC LIMIT ?`)
          .all(`%${likeText(words)}%`, ...values, limit)
          .map((row, at): SearchHit => {
            return { id: row.id, session: row.session_id, score: 1 / (1 + at), message: toMessage(row) };
          });
      }),
    frequencies: (terms) => queue.read(() => frequencies()(terms)),
    missing: (limit) => queue.read(() => unindexed()(limit)),
  };
}

/** Words as they stand in the JSON of a message, for LIKE. */
const likeText = (words: string): string =>
  JSON.stringify(words)
    .slice(1, -1)
    .replace(/[\\%_]/g, '\\$&');

/** In ascending order of keys: the index writes its segments in one go then. Entries of removed messages are dropped. */
function entryWriter(connection: Connection): (entries: readonly IndexEntry[]) => void {
  const find = connection.prepare<[string], { readonly n: number; readonly known: number }>(
    'SELECT m.n, d.id IS NOT NULL AS known FROM messages m LEFT JOIN search_docsize d ON d.id = m.n WHERE m.id = ?',
  );
  const add = connection.prepare(
    `INSERT INTO search (rowid, ${SEARCH_FIELDS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const drop = connection.prepare('DELETE FROM search WHERE rowid = ?');
  const grow = connection.prepare(`
    UPDATE index_state SET entries = entries + ?, through = coalesce(
      (SELECT n - 1 FROM messages WHERE n > through AND NOT EXISTS (SELECT 1 FROM search_docsize WHERE id = n) ORDER BY n LIMIT 1),
      (SELECT max(n) FROM messages), 0)`);
  return (entries) => {
    let added = 0;
    const keyed = entries.flatMap((entry) => {
      const found = find.get(entry.id);
      return found ? [{ ...found, entry }] : [];
    });
    for (const { n, known, entry } of keyed.toSorted((a, b) => a.n - b.n)) {
      if (known) drop.run(n);
      else added += 1;
      add.run(n, ...SEARCH_FIELDS.map((field) => entry.fields[field]));
    }
    grow.run(added);
  };
}

/** A message with the keys of those beside it that were not taken back. */
interface PlacedRow extends MessageRow {
  readonly before: number | null;
  readonly after: number | null;
}

const beside = (comparison: '<' | '>', order: 'DESC' | 'ASC'): string => `
  (SELECT other.n FROM messages other
   WHERE other.session = m.session AND other.position ${comparison} m.position AND other.state <> 'undone'
   ORDER BY other.position ${order} LIMIT 1)`;

const PLACED = `
  SELECT ${MESSAGE_COLUMNS}, ${beside('<', 'DESC')} AS before, ${beside('>', 'ASC')} AS after
  FROM messages m JOIN sessions s ON s.n = m.session`;

function unindexedReader(
  connection: Connection,
  toMessage: (row: MessageRow) => StoredMessage,
): (limit: number) => UnindexedMessage[] {
  const waiting = connection.prepare<[number], PlacedRow>(
    `${PLACED} WHERE m.n > (SELECT through FROM index_state) ORDER BY m.n LIMIT ?`,
  );
  const one = connection.prepare<[number], PlacedRow>(`${PLACED} WHERE m.n = ?`);
  return (limit) => {
    const rows = new Map(waiting.all(limit).map((row) => [row.n, row]));
    const rowAt = (n: number): PlacedRow => rows.get(n) ?? (one.get(n) as PlacedRow);
    const read = new Map<number, StoredMessage>();
    const messageAt = (n: number): StoredMessage => {
      const message = read.get(n) ?? toMessage(rowAt(n));
      read.set(n, message);
      return message;
    };
    // The messages before them have a new neighbour, which their entries are to tell of.
    for (const { before } of [...rows.values()])
      if (before !== null && !rows.has(before)) rows.set(before, rowAt(before));
    return [...rows.values()]
      .toSorted((a, b) => a.n - b.n)
      .map(({ n, before, after }) => ({
        message: messageAt(n),
        ...(before === null ? {} : { previous: messageAt(before) }),
        ...(after === null ? {} : { next: messageAt(after) }),
      }));
  };
}
