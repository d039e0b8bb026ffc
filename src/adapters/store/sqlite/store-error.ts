import { AppError, fail } from '#kit/app-error';

const CORRUPT = /^SQLITE_(?:CORRUPT|NOTADB)/;
const BUSY = /^SQLITE_(?:BUSY|LOCKED)/;

/** The code that SQLite gave, such as `SQLITE_BUSY_SNAPSHOT`, if it was SQLite that failed. */
function sqliteCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

export const isBusy = (error: unknown): boolean => BUSY.test(sqliteCode(error));
export const isCorrupt = (error: unknown): boolean => CORRUPT.test(sqliteCode(error));

/** Whatever the driver threw, as an error with a code of ours. */
export function toStoreError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isCorrupt(error)) return fail('store.corrupt', `${path} is damaged: ${message}`, undefined, error);
  if (isBusy(error)) {
    const record = { code: 'store.busy', message: `${path} is locked`, retry: { again: true } } as const;
    return new AppError(record, { cause: error });
  }
  return fail('internal', `${path}: ${message}`, undefined, error);
}

/** Throws an error again, and one about a damaged file with what helps here. */
export const withHint =
  (hint: string) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || error.record.code !== 'store.corrupt') throw error;
    throw fail('store.corrupt', error.message, hint, error.cause);
  };
