import { statSync } from 'node:fs';
import type { Probed } from '#spec/data';
import { fail } from '#kit/app-error';
import { isBusy, type StoreFile, toStoreError } from './store-error.ts';

/** A larger file is not read through: that would take longer than anybody waits. */
const MOST_BYTES = 64_000_000;

/**
 * Whether a database of this home can be read and written: its first page and its schema are read, and the lock of a
 * writer is taken and given back. `thorough` also reads all its pages. Rejects with an `AppError` that names the file. A
 * file that is not there is made at its first use.
 */
export async function probeDatabase(
  file: StoreFile,
  { thorough }: { readonly thorough: boolean },
): Promise<Probed> {
  const { path } = file;
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return { state: 'reached', detail: 'made at its first use' };
  const { default: Database } = await import('better-sqlite3');
  try {
    // Nobody is waited for: whoever holds the lock shows that the file can be written.
    const database = new Database(path, { fileMustExist: true, timeout: 0 });
    try {
      database.prepare('SELECT count(*) FROM sqlite_master').get();
      if (thorough && found.size <= MOST_BYTES) {
        const [first] = database.pragma('quick_check(1)') as { readonly quick_check: string }[];
        if (first && first.quick_check !== 'ok')
          throw fail('store.corrupt', `${path} is damaged: ${first.quick_check}`);
      }
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
    } finally {
      database.close();
    }
  } catch (thrown) {
    if (!isBusy(thrown)) throw toStoreError(thrown, file);
  }
  return { state: 'reached' };
}
