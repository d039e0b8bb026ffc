import { chmodSync, closeSync, openSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { fail } from '#kit/app-error';
import type { StoreName } from '#spec/data';
import { type Clean, cleanWrites } from './clean-writes.ts';
import { toStoreError } from './store-error.ts';

export type Connection = Sqlite.Database;

export interface FileSchema {
  /** What is kept in it, for whoever reads of its damage. */
  readonly store: StoreName;
  /**
   * Each brings the schema one version further; the place in the list is the version. What has been released is never
   * edited: a change is a new entry.
   */
  readonly versions: readonly string[];
  /** `FULL`: what was confirmed survives a power failure. `NORMAL`: it survives the end of the process. */
  readonly synchronous: 'NORMAL' | 'FULL';
  readonly pragmas?: readonly string[];
}

/** Another process may hold the lock while it migrates; after opening, waiting is done by `writeQueue`. */
const OPENING_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 20;

/**
 * Opens the file, makes it if it is not there, and brings its schema up to date. A file from a newer version is
 * refused before anything in it is touched. With `clean`, no text gets into it that has not passed. The driver is loaded here and nowhere else.
 */
export async function openConnection(path: string, schema: FileSchema, clean?: Clean): Promise<Connection> {
  const { default: Database } = await import('better-sqlite3');
  let connection: Connection | undefined;
  try {
    makePrivate(path);
    connection = new Database(path, { timeout: OPENING_TIMEOUT_MS });
    versionOf(connection, path, schema);
    connection.pragma('journal_mode = WAL');
    connection.pragma(`synchronous = ${schema.synchronous}`);
    connection.pragma('foreign_keys = ON');
    for (const pragma of schema.pragmas ?? []) connection.pragma(pragma);
    migrate(connection, path, schema);
    connection.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
    if (clean) cleanWrites(connection, clean);
    return connection;
  } catch (error) {
    connection?.close();
    throw toStoreError(error, { path, store: schema.store });
  }
}

/** Only the owner reads it. SQLite gives the files beside it the same mode. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/** Throws when the file is newer than what this program knows. */
function versionOf(connection: Connection, path: string, { versions }: FileSchema): number {
  const version = connection.pragma('user_version', { simple: true }) as number;
  if (version > versions.length) {
    const known = `it has version ${version}, and this program knows versions up to ${versions.length}`;
    throw fail('store.newer', `${path} was written by a newer Hermes: ${known}`);
  }
  return version;
}

/** One transaction a version. Another process may be doing the same. */
function migrate(connection: Connection, path: string, schema: FileSchema): void {
  while (versionOf(connection, path, schema) < schema.versions.length) {
    connection
      .transaction(() => {
        const version = versionOf(connection, path, schema);
        const next = schema.versions[version];
        if (next === undefined) return;
        connection.exec(next);
        connection.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
