import { chmodSync, closeSync, openSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { migrate, schemaVersion } from './migrations.ts';
import { toStoreError } from './store-error.ts';

export type Connection = Sqlite.Database;

/** Another process may hold the lock while it migrates; after opening, waiting is done by `writeQueue`. */
const OPENING_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 20;

/**
 * Opens the file, makes it if it is not there, and brings its schema up to date. A file from a newer version is
 * refused before anything in it is touched. The driver is loaded here and nowhere else.
 */
export async function openConnection(path: string): Promise<Connection> {
  const { default: Database } = await import('better-sqlite3');
  let connection: Connection | undefined;
  try {
    makePrivate(path);
    connection = new Database(path, { timeout: OPENING_TIMEOUT_MS });
    schemaVersion(connection, path);
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = NORMAL');
    connection.pragma('foreign_keys = ON');
    connection.pragma('cache_size = -16000');
    connection.pragma('wal_autocheckpoint = 16000');
    migrate(connection, path);
    connection.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
    return connection;
  } catch (error) {
    connection?.close();
    throw toStoreError(error, path);
  }
}

/** Only the owner reads conversations. SQLite gives the files beside it the same mode. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}
