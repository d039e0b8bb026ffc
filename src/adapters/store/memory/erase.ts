import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';
import type { EntryTable } from './entry-table.ts';
import type { FoundEntries } from './found-entries.ts';

/** Removes entries with all their versions. To be called within a transaction; `finish` of the eraser is to follow. */
export function removeLines(
  connection: Connection,
  table: EntryTable,
  found: FoundEntries,
): (ids: readonly string[]) => number {
  const remove = connection.prepare('DELETE FROM entries WHERE n = ?');
  const removeScope = connection.prepare(
    'DELETE FROM scopes WHERE n = ? AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.scope = scopes.n)',
  );
  const begin = connection.prepare('UPDATE index_state SET erasing = 1');
  return (ids) => {
    const lines = new Set(ids.flatMap((id) => table.byId(id)?.line ?? []));
    const scopes = new Set<number>();
    for (const line of lines) {
      for (const row of table.inLine(line)) {
        if (row.state === 'active') found.leave(row);
        remove.run(row.n);
        scopes.add(row.scope);
      }
    }
    for (const scope of scopes) removeScope.run(scope);
    if (lines.size > 0) begin.run();
    return lines.size;
  };
}

/** How much of the index is written anew in one step: some ten milliseconds. */
const STEP_PAGES = 500;
const MOST_STEPS = 10_000;

export interface Eraser {
  /** Takes out of the file what removed rows have left in it. Goes on where a killed process stopped. */
  finish(): Promise<void>;
}

/**
 * The full-text index only marks an entry as removed; its terms are gone when the part that they lie in is written anew.
 * So all of it is, in small steps between which others write and read. Then the log of the database is emptied, as far as
 * no other process is reading it.
 */
export function eraser(connection: Connection, queue: WriteQueue): Eraser {
  const isDue = connection.prepare<[], number>('SELECT erasing FROM index_state').pluck();
  const done = connection.prepare('UPDATE index_state SET erasing = 0');
  const changes = connection.prepare<[], number>('SELECT total_changes()').pluck();
  const merge = (pages: number): boolean => {
    const before = changes.get() ?? 0;
    connection.prepare("INSERT INTO search (search, rank) VALUES ('merge', ?)").run(pages);
    // One change is the command itself.
    return (changes.get() ?? 0) - before > 1;
  };
  return {
    finish: async () => {
      if ((await queue.read(() => isDue.get())) !== 1) return;
      let more = await queue.write(() => merge(-STEP_PAGES));
      for (let step = 0; more && step < MOST_STEPS; step++) {
        await nextTurn();
        more = await queue.write(() => merge(STEP_PAGES));
      }
      await queue.write(() => done.run());
      await queue.look(() => connection.pragma('wal_checkpoint(TRUNCATE)'));
    },
  };
}
