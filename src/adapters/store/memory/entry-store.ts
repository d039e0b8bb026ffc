import type { MemoryCensus, MemoryStore, MemoryTally } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';
import { entryFilter } from './entry-filter.ts';
import { type EntryRow, SELECT_ENTRIES, toEntry } from './entry-row.ts';
import type { EntryTable } from './entry-table.ts';
import { entryWriter } from './entry-writer.ts';
import { type Eraser, removeLines } from './erase.ts';
import type { FoundEntries } from './found-entries.ts';

interface Parts {
  readonly connection: Connection;
  readonly queue: WriteQueue;
  readonly table: EntryTable;
  readonly found: FoundEntries;
  readonly eraser: Eraser;
  readonly now: () => number;
}

export function entryStore({
  connection,
  queue,
  table,
  found,
  eraser,
  now,
}: Parts): MemoryStore & MemoryCensus {
  const writer = entryWriter(connection, table, found);
  const remove = removeLines(connection, table, found);
  const touch = connection.prepare(`
    INSERT INTO uses SELECT n, 1, @at FROM entries WHERE id = @id
    ON CONFLICT (n) DO UPDATE SET accesses = accesses + 1, at = max(at, excluded.at)`);
  const count = connection
    .prepare<[number], number>(`
      SELECT (SELECT total(active) FROM scopes)
        - (SELECT count(*) FROM entries WHERE state = 'active' AND expires_at IS NOT NULL AND expires_at <= ?)`)
    .pluck();
  const tally = connection.prepare<[{ now: number }], MemoryTally>(`
    SELECT s.name AS scope, e.kind,
      CASE WHEN e.state = 'active' AND e.expires_at <= @now THEN 'forgotten' ELSE e.state END AS state, count(*) AS count
    FROM entries e JOIN scopes s ON s.n = e.scope GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`);

  return {
    put: (entries) => queue.write(() => writer.put(entries, now())),
    list: (filter) =>
      queue.read(() => {
        const at = now();
        const { where, values } = entryFilter(filter, at);
        return connection
          .prepare<[object], EntryRow>(
            `${SELECT_ENTRIES} WHERE ${where} ORDER BY e.created_at DESC, e.n DESC LIMIT @limit`,
          )
          .all(values)
          .map((row) => toEntry(row, at));
      }),
    change: (id, patch) => queue.write(() => writer.change(id, patch, now())),
    touch: (ids, at) =>
      queue.write(() => {
        for (const id of ids) touch.run({ id, at });
      }),
    history: (id) =>
      queue.read(() => {
        const row = table.byId(id);
        return row ? table.inLine(row.line).map((version) => toEntry(version, now())) : [];
      }),
    erase: async (ids) => {
      const removed = await queue.write(() => remove(ids));
      if (removed > 0) await eraser.finish();
      return removed;
    },
    count: () => queue.read(() => count.get(now()) ?? 0),
    tally: () => queue.read(() => tally.all({ now: now() })),
  };
}
