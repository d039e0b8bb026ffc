import { chmodSync, closeSync, openSync } from 'node:fs';
import type { ApprovalStore, AuditLog, TaintBook } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import { toStoreError } from '../sqlite/store-error.ts';
import { writeQueue } from '../sqlite/write-queue.ts';
import { approvalStore } from './approval-store.ts';
import { auditLog } from './audit-log.ts';
import { prepareSchema } from './schema.ts';
import { taintBook } from './taint-book.ts';

/** What was asked, agreed to and done in one home. Several processes may have the same file open. */
export interface Ledger {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly taints: TaintBook;
  /** Waits for what is being written. Nothing may be called afterwards. */
  close(): Promise<void>;
}

export interface LedgerOptions {
  readonly now?: () => number;
  /** How long a write waits for another process before it fails. */
  readonly patienceMs?: number;
}

const OPENING_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 20;
const PATIENCE_MS = 15_000;

/**
 * Opens the file, or makes it, together with `<path>.head`, which tells where the audit log ends. Every write is on disk
 * when it resolves: an approval that was given is not lost with the power.
 */
export async function openLedger(
  path: string,
  { now = Date.now, patienceMs = PATIENCE_MS }: LedgerOptions = {},
): Promise<Ledger> {
  const connection = await connect(path);
  const queue = writeQueue(connection, path, patienceMs);
  const audit = await auditLog(connection, queue, { headPath: `${path}.head`, now });
  return {
    approvals: approvalStore(connection, queue),
    audit,
    taints: taintBook(connection, queue),
    close: async () => {
      await queue.idle();
      connection.close();
    },
  };
}

async function connect(path: string): Promise<Connection> {
  const { default: Database } = await import('better-sqlite3');
  let connection: Connection | undefined;
  try {
    // Only the owner reads it. SQLite gives the files beside it the same mode.
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    connection = new Database(path, { timeout: OPENING_TIMEOUT_MS });
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    prepareSchema(connection, path);
    connection.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
    return connection;
  } catch (error) {
    connection?.close();
    throw toStoreError(error, path);
  }
}
