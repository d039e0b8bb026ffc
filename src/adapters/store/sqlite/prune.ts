import type { Connection } from './connection.ts';
import { removeSessions } from './remove-sessions.ts';

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
