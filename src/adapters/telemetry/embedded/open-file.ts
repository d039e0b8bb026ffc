import { chmodSync, closeSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { AppError, fail } from '#kit/app-error';
import { storeFailure } from '#kit/store-failure';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

export type Database = Sqlite.Database;

const PATIENCE_MS = 2_000;
const WAL_BYTES = 16 * 1024 * 1024;

/**
 * Opens the file, or makes it. What is in it lasts hours at most: a damaged file is put aside as `<path>.damaged` and a
 * new one begun. Only the owner reads it.
 */
export async function openFile(path: string): Promise<Database> {
  const { default: Driver } = await import('better-sqlite3');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return prepared(() => new Driver(path, { timeout: PATIENCE_MS }), path);
  } catch (error) {
    if (storeFailure(error)?.code !== 'store.corrupt') throw toStoreError(error, path);
    renameSync(path, `${path}.damaged`);
    for (const part of ['-wal', '-shm']) rmSync(path + part, { force: true });
    return prepared(() => new Driver(path, { timeout: PATIENCE_MS }), path);
  }
}

function prepared(open: () => Database, path: string): Database {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const db = open();
  try {
    const version = () => db.pragma('user_version', { simple: true }) as number;
    if (version() > SCHEMA_VERSION) throw fail('store.newer', `${path} was written by a newer Hermes`);
    // It takes effect in a file that is still empty only.
    db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma(`journal_size_limit = ${WAL_BYTES}`);
    db.transaction(() => {
      if (version() === SCHEMA_VERSION) return;
      db.exec(SCHEMA);
      db.pragma(`user_version = ${SCHEMA_VERSION}`);
    }).immediate();
    // Damage that is not on the first page shows here already.
    db.prepare('SELECT count(*) FROM series').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Whatever the driver threw, as an error with a code of ours. */
export function toStoreError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const failure = storeFailure(error, path);
  const message = error instanceof Error ? error.message : String(error);
  if (!failure) return fail('internal', `${path}: ${message}`, undefined, error);
  return new AppError({ ...failure, details: { path, store: 'telemetry' } }, { cause: error });
}
