import { statSync } from 'node:fs';
import type { Probed } from '#spec/data';
import { tell } from '#kit/text';
import { AppError } from '#kit/app-error';
import { noteDamage, requireStanding } from './file-standing.ts';
import { isBusy, type StoreFile, toStoreError } from './store-error.ts';

/** A larger file is not read through: that would take longer than anybody waits. */
const MOST_BYTES = 64_000_000;

/**
 * Whether a database of this home can be read and written: its first page and its schema are read, and the lock of a
 * writer is taken and given back. `thorough` also reads all its pages, of a file up to `mostBytes`. Rejects with an
 * `AppError` that names the file; where this process has a damaged file open, it writes nothing more to it. A file that is
 * not there is made at its first use.
 */
export async function probeDatabase(
  file: StoreFile,
  { thorough, mostBytes = MOST_BYTES }: { readonly thorough: boolean; readonly mostBytes?: number },
): Promise<Probed> {
  const { path, store } = file;
  requireStanding(file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return { state: 'reached', detail: tell('made at its first use', '首次使用时创建') };
  const { default: Database } = await import('better-sqlite3');
  try {
    // Nobody is waited for: whoever holds the lock shows that the file can be written.
    const database = new Database(path, { fileMustExist: true, timeout: 0 });
    try {
      database.prepare('SELECT count(*) FROM sqlite_master').get();
      if (thorough && found.size <= mostBytes) {
        const [first] = database.pragma('quick_check(1)') as { readonly quick_check: string }[];
        if (first && first.quick_check !== 'ok')
          throw new AppError({
            code: 'store.corrupt',
            message: `${path} is damaged: ${first.quick_check}`,
            retry: { again: false },
            details: { path, store },
          });
      }
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
    } finally {
      database.close();
    }
  } catch (thrown) {
    if (isBusy(thrown)) return { state: 'reached' };
    const error = toStoreError(thrown, file);
    if (error.record.code === 'store.corrupt') noteDamage(file, error);
    throw error;
  }
  return { state: 'reached' };
}
