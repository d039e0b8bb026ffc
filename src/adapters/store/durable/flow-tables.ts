import { chmodSync, closeSync, openSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { fail } from '#kit/app-error';
import { toStoreError } from '../sqlite/store-error.ts';

type Connection = Sqlite.Database;

const OPENING_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 20;

/**
 * Each brings the schema one version further. What has been released is never edited: a change is a new entry.
 *
 * `fence` grows with every claim and `beat` with every heartbeat of the holder. `claims` counts how often the flow
 * changed hands since its last step forward. A journal row is one call of the flow, numbered in the order of calling.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE flows (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    flow TEXT NOT NULL,
    version INTEGER NOT NULL,
    input TEXT NOT NULL,
    state TEXT NOT NULL,
    waits_for TEXT,
    wakes_at REAL,
    holder TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    beat INTEGER NOT NULL DEFAULT 0,
    claims INTEGER NOT NULL DEFAULT 0,
    output TEXT,
    failure TEXT,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX flows_by_state ON flows (state, wakes_at);

  CREATE TABLE calls (
    flow TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    value TEXT,
    due_at REAL,
    begun_at REAL NOT NULL,
    fence INTEGER NOT NULL,
    PRIMARY KEY (flow, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE signals (
    n INTEGER PRIMARY KEY,
    flow TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    at REAL NOT NULL,
    taken_by INTEGER,
    UNIQUE (flow, name, key)
  ) STRICT;
  `,
];

/**
 * Opens the file of flows, makes it if it is not there, and brings its schema up to date. What a write has confirmed
 * survives a power failure (`synchronous = FULL`): an intent that is lost would let an effect happen twice.
 */
export async function openFlowTables(path: string): Promise<Connection> {
  const { default: Database } = await import('better-sqlite3');
  let connection: Connection | undefined;
  try {
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    connection = new Database(path, { timeout: OPENING_TIMEOUT_MS });
    versionOf(connection, path);
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    migrate(connection, path);
    connection.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
    return connection;
  } catch (error) {
    connection?.close();
    throw toStoreError(error, path);
  }
}

function versionOf(connection: Connection, path: string): number {
  const version = connection.pragma('user_version', { simple: true }) as number;
  if (version > MIGRATIONS.length) {
    const known = `it has version ${version}, and this program knows versions up to ${MIGRATIONS.length}`;
    throw fail('store.newer', `${path} was written by a newer Hermes: ${known}`);
  }
  return version;
}

/** One transaction a version. Another process may be doing the same. */
function migrate(connection: Connection, path: string): void {
  while (versionOf(connection, path) < MIGRATIONS.length) {
    connection
      .transaction(() => {
        const version = versionOf(connection, path);
        const next = MIGRATIONS[version];
        if (next === undefined) return;
        connection.exec(next);
        connection.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
