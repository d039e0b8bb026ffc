import type { Connection } from './connection.ts';
import { CREATE_SEARCH, DROP_SEARCH } from './search-tables.ts';
import { brokenToolGroups } from './tool-groups.ts';

export interface RepairReport {
  /** Sessions whose totals were wrong. */
  readonly recounted: number;
  /** Active messages that no model would have accepted, and that are archived now. */
  readonly archived: number;
  /** Messages that the indexer has to take up again. */
  readonly toIndex: number;
  /** Set when the file itself was damaged: what could be read stands in a new file. */
  readonly salvaged?: SalvageReport;
}

export interface SalvageReport {
  /** Where the damaged file is kept. */
  readonly kept: string;
  /** Rows that are known to have been there and could not be read, by table. */
  readonly lost: Readonly<Record<string, number>>;
  /** Whether a table could not be read to its end, so that more may be lost than is known. */
  readonly incomplete: readonly string[];
}

/** Mends everything that hangs on sound pages. To be called within a transaction. */
export function repairDatabase(connection: Connection): RepairReport {
  connection.exec(DROP_SEARCH);
  connection.exec(CREATE_SEARCH);
  connection.exec(`
    UPDATE index_state SET entries = 0, through = 0;
    DELETE FROM blob_uses WHERE message NOT IN (SELECT n FROM messages) OR hash NOT IN (SELECT hash FROM blobs);
  `);
  const toIndex = connection.prepare<[], number>('SELECT count(*) FROM messages').pluck().get() ?? 0;
  const archive = connection.prepare("UPDATE messages SET state = 'archived' WHERE n = ?");
  const broken = brokenToolGroups(connection).flatMap(({ keys }) => keys);
  for (const key of broken) archive.run(key);
  return { recounted: recount(connection), archived: broken.length, toIndex };
}

/** What a session has spent can be more than its messages tell, never less. */
function recount(connection: Connection): number {
  const tokens = { input: 'input', output: 'output', cache_read: 'cacheRead', cache_write: 'cacheWrite' };
  const spent = Object.entries({ ...tokens, reasoning: 'reasoning' }).map(([column, key]) => {
    const sum = `(SELECT coalesce(sum(usage ->> '${key}'), 0) FROM messages WHERE session = sessions.n)`;
    return { column, sum };
  });
  const cost = '(SELECT total(cost) FROM messages WHERE session = sessions.n)';
  const found = "(SELECT count(*) FROM messages WHERE session = sessions.n AND state <> 'undone')";
  const below = spent.map(({ column, sum }) => `${column} < ${sum}`).join(' OR ');
  const raise = spent.map(({ column, sum }) => `${column} = max(${column}, ${sum})`).join(', ');
  return connection
    .prepare(`
      UPDATE sessions SET messages = ${found}, cost = max(cost, ${cost}), ${raise}
      WHERE messages <> ${found} OR cost < ${cost} * 0.999999 - 1e-9 OR ${below}`)
    .run().changes;
}
