import type { ApprovalStore, AuditHead, AuditLog, TaintBook } from '#spec/ports';
import { Taint } from '#spec/data';
import type { Clean } from '../sqlite/clean-writes.ts';
import { openConnection, type Connection } from '../sqlite/connection.ts';
import { writeQueue, type WriteQueue } from '../sqlite/write-queue.ts';
import { approvalStore } from './approval-store.ts';
import { auditLog } from './audit-log.ts';
import { LEDGER_SCHEMA } from './schema.ts';

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
  /** What every text of a line or a request passes before it is hashed or stored. */
  readonly clean?: Clean | undefined;
  /** Is told every head of the audit log that was written down, under the ledger's lock: it must return at once. */
  readonly onHead?: ((head: AuditHead) => void) | undefined;
}

const PATIENCE_MS = 15_000;

/**
 * Opens the file, or makes it, together with `<path>.head`, which tells where the audit log ends.
 */
export async function openLedger(
  path: string,
  { now = Date.now, patienceMs = PATIENCE_MS, onHead, clean }: LedgerOptions = {},
): Promise<Ledger> {
  const connection = await openConnection(path, LEDGER_SCHEMA);
  const queue = writeQueue(connection, { path, store: 'ledger' }, patienceMs);
  const audit = await auditLog(connection, queue, { headPath: `${path}.head`, now, onHead, clean });
  return {
    approvals: approvalStore(connection, queue, clean),
    audit,
    taints: taintBook(connection, queue),
    close: async () => {
      await queue.idle();
      connection.close();
    },
  };
}

function taintBook(connection: Connection, queue: WriteQueue): TaintBook {
  const select = connection
    .prepare<[string], string>('SELECT taint FROM taints WHERE session = ? ORDER BY taint')
    .pluck();
  const insert = connection.prepare('INSERT OR IGNORE INTO taints (session, taint, at) VALUES (?, ?, ?)');
  return {
    read: (session) => queue.read(() => select.all(session).map((taint) => Taint.parse(taint))),
    add: (session, taint, at) => queue.write(() => insert.run(session, taint, at).changes === 1),
  };
}
