import type { SearchIndex, SessionStore, Transcript } from '#spec/ports';
import type { Clean } from './clean-writes.ts';
import { type CheckReport, checkDatabase } from './check.ts';
import { type Connection, openConnection } from './connection.ts';
import { type PruneOptions, pruneSessions } from './remove-sessions.ts';
import type { RepairReport } from './repair.ts';
import { repairSessionDatabase } from './repair-session-database.ts';
import { searchIndex } from './search-index.ts';
import { SESSION_SCHEMA } from './session-schema.ts';
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
  /**
   * Mends what can be mended. Nobody else may have the file open. Ports that were taken from here before are closed
   * afterwards: take them again.
   */
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
  { patienceMs = PATIENCE_MS, clean }: { readonly patienceMs?: number; readonly clean?: Clean } = {},
): Promise<SessionDatabase> {
  let open = portsOf(await openConnection(path, SESSION_SCHEMA, clean), path, patienceMs);
  const close = async () => {
    await open.queue.idle();
    open.connection.close();
  };
  return {
    get sessions() {
      return open.sessions;
    },
    get transcript() {
      return open.transcript;
    },
    get index() {
      return open.index;
    },
    check: () => open.queue.look(() => checkDatabase(open.connection)),
    repair: async () => {
      await close();
      const report = await repairSessionDatabase(path);
      open = portsOf(await openConnection(path, SESSION_SCHEMA, clean), path, patienceMs);
      return report;
    },
    prune: (options) => open.queue.write(() => pruneSessions(open.connection, options)),
    close,
  };
}

interface OpenPorts extends Pick<SessionDatabase, 'sessions' | 'transcript' | 'index'> {
  readonly connection: Connection;
  readonly queue: WriteQueue;
}

function portsOf(connection: Connection, path: string, patienceMs: number): OpenPorts {
  const queue = writeQueue(connection, { path, store: 'sessions' }, patienceMs);
  return {
    connection,
    queue,
    sessions: sessionStore(connection, queue),
    transcript: transcript(connection, queue),
    index: searchIndex(connection, queue),
  };
}
