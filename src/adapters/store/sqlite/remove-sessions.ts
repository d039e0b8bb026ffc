import type { Connection } from './connection.ts';

/** Removes sessions with all that hangs on them. To be called within a transaction. */
export function removeSessions(connection: Connection): (ids: readonly string[]) => number {
  const number = connection.prepare<[string], number>('SELECT n FROM sessions WHERE id = ?').pluck();
  const indexed = connection
    .prepare<[number], number>(
      'SELECT m.n FROM messages m JOIN search_docsize d ON d.id = m.n WHERE m.session = ?',
    )
    .pluck();
  const unindex = connection.prepare('DELETE FROM search WHERE rowid = ?');
  const shrink = connection.prepare('UPDATE index_state SET entries = entries - ?');
  // Keys at the end may be given to new messages, which are not in the index yet.
  const lower = connection.prepare(
    'UPDATE index_state SET through = min(through, (SELECT ifnull(max(n), 0) FROM messages))',
  );
  const remove = connection.prepare('DELETE FROM sessions WHERE n = ?');
  const removeFacts = connection.prepare('DELETE FROM facts WHERE stream = ?');
  const removeBlobs = connection.prepare(
    'DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM blob_uses WHERE blob_uses.hash = blobs.hash)',
  );
  const removePrefixes = connection.prepare(
    'DELETE FROM prefixes WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.prefix = prefixes.hash)',
  );

  return (ids) => {
    let removed = 0;
    for (const id of new Set(ids)) {
      const session = number.get(id);
      if (session === undefined) continue;
      const rows = indexed.all(session);
      for (const row of rows) unindex.run(row);
      shrink.run(rows.length);
      remove.run(session);
      removeFacts.run(id);
      removed += 1;
    }
    if (removed > 0) {
      lower.run();
      removeBlobs.run();
      removePrefixes.run();
    }
    return removed;
  };
}

export interface PruneOptions {
  /** Milliseconds since the session was last written to. */
  readonly olderThan: number;
  /** Keeps those that have a title. */
  readonly keepTitled?: boolean;
}

/** To be called within a transaction. */
export function pruneSessions(connection: Connection, { olderThan, keepTitled }: PruneOptions): number {
  const ids = connection
    .prepare<[number], string>(
      `SELECT id FROM sessions WHERE updated_at < ? ${keepTitled ? 'AND title IS NULL' : ''}`,
    )
    .pluck()
    .all(Date.now() - olderThan);
  return removeSessions(connection)(ids);
}
