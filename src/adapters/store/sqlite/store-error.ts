import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, fail } from '#kit/app-error';
import { failureOf, storeFailure } from '#kit/store-failure';
import type { ErrorRecord, StoreName } from '#spec/data';

export interface StoreFile {
  readonly path: string;
  readonly store: StoreName;
}

export const isBusy = (error: unknown): boolean => storeFailure(error)?.code === 'store.busy';
export const isCorrupt = (error: unknown): boolean => storeFailure(error)?.code === 'store.corrupt';

/** Whatever the driver threw, as an error with a code of ours that says which file it is about. */
export function toStoreError(error: unknown, { path, store }: StoreFile): AppError {
  if (error instanceof AppError) return error;
  const failure = storeFailure(error, path);
  const message = error instanceof Error ? error.message : String(error);
  if (!failure) return fail('internal', `${path}: ${message}`, undefined, error);
  const record = (failure.code === 'store.failing' && failureBehind(path)) || failure;
  return new AppError({ ...record, details: { path, store } }, { cause: error });
}

/** SQLite says "disk I/O error" or "unable to open" for all kinds of reasons; the disk itself says which one it is. */
function failureBehind(path: string): ErrorRecord | undefined {
  const probe = `${path}.probe`;
  try {
    const { bavail, files, ffree } = statfsSync(dirname(path));
    if (bavail === 0 || (files > 0 && ffree === 0)) return failureOf('ENOSPC', path);
    writeFileSync(probe, 'x', { mode: 0o600 });
    rmSync(probe);
    return undefined;
  } catch (thrown) {
    return storeFailure(thrown, path);
  }
}
