import { type MemoryIndex, type MemoryTerms, SEARCH_FIELDS } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import { once } from '../sqlite/once.ts';
import { frequencyReader, matchAny, weightedRank } from '../sqlite/term-query.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';
import { CAN_BE_FOUND } from './entry-filter.ts';
import { type EntryRow, SELECT_ENTRIES, toEntry } from './entry-row.ts';
import type { EntryTable } from './entry-table.ts';
import type { FoundEntries } from './found-entries.ts';
import { vectorReader, vectorWriter } from './vector-index.ts';
import type { VectorSets } from './vector-sets.ts';

interface Parts {
  readonly connection: Connection;
  readonly queue: WriteQueue;
  readonly table: EntryTable;
  readonly found: FoundEntries;
  readonly vectors: VectorSets;
  readonly now: () => number;
}

/** Up to so many entries it pays to list those that may be found before the index is asked. */
const FEW_ENTRIES = 10_000;

/** Statements over the index are made when they are first used: a damaged index must not keep the file shut. */
export function memoryIndex(parts: Parts): MemoryIndex {
  const { connection, queue, now } = parts;
  const putTerms = once(() => termWriter(parts));
  const putVectors = vectorWriter(parts);
  const nearest = vectorReader(parts);
  const frequencies = once(() => frequencyReader(connection));
  const scopes = scopeReader(connection);
  const waiting = (due: 'terms_due' | 'vectors_due') =>
    connection.prepare<[object], EntryRow>(`
      ${SELECT_ENTRIES} WHERE e.n IN (SELECT n FROM ${due}) AND ${CAN_BE_FOUND} ORDER BY e.n LIMIT @limit`);
  const due = { terms: waiting('terms_due'), vector: waiting('vectors_due') };
  const missing = (what: 'terms' | 'vector', limit: number) =>
    queue.read(() => {
      const at = now();
      return due[what].all({ now: at, limit }).map((row) => toEntry(row, at));
    });

  return {
    putTerms: (entries) => queue.write(() => putTerms()(entries)),
    withoutTerms: (limit) => missing('terms', limit),
    byTerms: (terms, weights, names, limit) =>
      queue.read(() => {
        const match = matchAny(terms);
        const among = scopes(names);
        if (!match || among.entries === 0) return [];
        const narrow =
          '+search.rowid IN (SELECT n FROM entries WHERE scope IN (SELECT value FROM json_each(@scopes)))';
        const wide = 'e.scope IN (SELECT value FROM json_each(@scopes))';
        const at = now();
        return connection
          .prepare<[object], EntryRow & { readonly rank: number }>(`
            SELECT e.*, s.name AS scope_name, u.accesses, u.at AS accessed_at, search.rank AS rank
            FROM search CROSS JOIN entries e ON e.n = search.rowid CROSS JOIN scopes s ON s.n = e.scope
              LEFT JOIN uses u ON u.n = e.n
            WHERE search MATCH @match AND rank MATCH @order AND ${among.entries <= FEW_ENTRIES ? narrow : wide}
              AND ${CAN_BE_FOUND} ORDER BY search.rank LIMIT @limit`)
          .all({ match, order: weightedRank(weights), scopes: JSON.stringify(among.keys), now: at, limit })
          .map((row) => ({ entry: toEntry(row, at), score: -row.rank }));
      }),
    frequencies: (terms) => queue.read(() => frequencies()(terms)),
    putVectors: (given) => queue.write(() => putVectors(given)),
    withoutVector: (limit) => missing('vector', limit),
    byVector: (embedding, names, limit) =>
      queue.read(() => nearest(embedding, scopes(names).keys, limit, now())),
  };
}

function scopeReader(connection: Connection) {
  const select = connection.prepare<[string], { readonly n: number; readonly active: number }>(
    'SELECT n, active FROM scopes WHERE name IN (SELECT value FROM json_each(?))',
  );
  return (names: readonly string[]) => {
    const rows = select.all(JSON.stringify(names));
    return { keys: rows.map(({ n }) => n), entries: rows.reduce((sum, { active }) => sum + active, 0) };
  };
}

/** In ascending order of keys: the index writes its segments in one go then. Entries that are gone are dropped. */
function termWriter({ connection, table, found }: Parts): (entries: readonly MemoryTerms[]) => void {
  const add = connection.prepare(
    `INSERT INTO search (rowid, ${SEARCH_FIELDS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return (entries) => {
    const rows = entries.flatMap((entry) => {
      const row = table.byId(entry.id);
      return row?.state === 'active' ? [{ n: row.n, entry }] : [];
    });
    for (const { n, entry } of rows.toSorted((a, b) => a.n - b.n)) {
      found.takeTerms(n);
      add.run(n, ...SEARCH_FIELDS.map((field) => entry.fields[field]));
    }
  };
}
