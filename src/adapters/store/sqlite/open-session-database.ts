import type { SearchIndex, SessionStore, Transcript } from '#spec/ports';
import { type CheckReport, checkDatabase } from './check.ts';
import { openConnection } from './connection.ts';
import { type PruneOptions, pruneSessions } from './prune.ts';
import { type RepairReport, repairDatabase } from './repair.ts';
import { searchIndex } from './search-index.ts';
import { sessionStore } from './sessions.ts';
import { transcript } from './transcript.ts';
import { type WriteQueue, writeQueue } from './write-queue.ts';

/** The conversations of one home. Several processes may have the same file open. */
export interface SessionDatabase {
  readonly sessions: SessionStore;
  readonly transcript: Transcript;
  readonly index: SearchIndex;
  /** Looks for damage and changes nothing. */
  check(): Promise<CheckReport>;
  /** Mends what can be mended. No other process should have the file open. */
  repair(): Promise<RepairReport>;
  /** Removes sessions that nobody has written to for a while, and tells how many. */
  prune(options: PruneOptions): Promise<number>;
  /** Waits for what is being written. Nothing may be called afterwards. */
  close(): Promise<void>;
}

/** How long a write waits for another process before it fails. */
const PATIENCE_MS = 15_000;

export async function openSessionDatabase(
  path: string,
  { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {},
): Promise<SessionDatabase> {
  const connection = await openConnection(path);
  const queue: WriteQueue = writeQueue(connection, path, patienceMs);
  return {
    sessions: sessionStore(connection, queue),
    transcript: transcript(connection, queue),
    index: searchIndex(connection, queue),
    check: () => queue.read(() => checkDatabase(connection)),
    repair: () => queue.write(() => repairDatabase(connection)),
    prune: (options) => queue.write(() => pruneSessions(connection, options)),
    close: async () => {
      await queue.idle();
      connection.close();
    },
  };
}
