import type { ErrorCode, ErrorRecord } from '#spec/data';

/** The place where things are kept fails: neither the program nor whoever asked has made a mistake. */
const FAILURES = ['store.full', 'store.read_only', 'store.failing', 'store.corrupt', 'store.newer'] as const;
export type StoreFailure = (typeof FAILURES)[number];

export const isStoreFailure = (code: ErrorCode): code is StoreFailure =>
  (FAILURES as readonly ErrorCode[]).includes(code);

/** It is one of the home's own stores that fails, not some other disk that somebody wrote to. */
export const isOwnStoreFailure = ({ code, details }: ErrorRecord): boolean =>
  isStoreFailure(code) && details?.store !== undefined;

/** Every code of the operating system and of SQLite that speaks of such a place, once. */
const CODES: readonly (readonly [RegExp, StoreFailure | 'store.busy', string])[] = [
  [/^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)$/, 'store.full', 'there is no room left on its disk'],
  [/^(?:EROFS|SQLITE_READONLY\w*|SQLITE_PERM)$/, 'store.read_only', 'it can only be read'],
  [/^(?:EACCES|EPERM)$/, 'store.read_only', 'this user may not do that there'],
  [/^(?:EMFILE|ENFILE)$/, 'store.failing', 'too many files are open'],
  [/^(?:EIO|ESTALE|SQLITE_(?:IOERR|CANTOPEN|PROTOCOL)\w*)$/, 'store.failing', 'its disk does not answer'],
  [/^SQLITE_(?:CORRUPT|NOTADB)\w*$/, 'store.corrupt', 'it is damaged'],
  [/^SQLITE_(?:BUSY|LOCKED)\w*$/, 'store.busy', 'it is locked'],
];

/** When whoever asked may ask again. What is damaged does not heal by itself. */
const AFTER_MS: Partial<Record<ErrorCode, number>> = {
  'store.full': 10_000,
  'store.read_only': 10_000,
  'store.failing': 10_000,
};

/** What the operating system or SQLite threw about a place where things are kept; undefined: it is about something else. */
export function storeFailure(thrown: unknown, path = fieldOf(thrown, 'path')): ErrorRecord | undefined {
  const code = codeOf(thrown);
  // Also what may not be run or listened to is "not permitted": then it is about no place of ours.
  if (/^E(?:ACCES|PERM)$/.test(code) && (!path || fieldOf(thrown, 'syscall')?.startsWith('spawn')))
    return undefined;
  return failureOf(code, path);
}

/** The same for a code that is known already. */
export function failureOf(code: string, path?: string): ErrorRecord | undefined {
  const found = CODES.find(([pattern]) => pattern.test(code));
  if (!found) return undefined;
  const [, ours, why] = found;
  const afterMs = AFTER_MS[ours];
  return {
    code: ours,
    message: `${path ?? 'A file of Hermes'}: ${why} (${code})`,
    retry: { again: ours !== 'store.corrupt', ...(afterMs === undefined ? {} : { afterMs }) },
    ...(path ? { details: { path } } : {}),
  };
}

/** The code that the system gave, such as `ENOSPC` or `SQLITE_BUSY_SNAPSHOT`; empty where there is none. */
export const codeOf = (thrown: unknown): string => fieldOf(thrown, 'code') ?? '';

function fieldOf(thrown: unknown, name: 'code' | 'path' | 'syscall'): string | undefined {
  const value: unknown = thrown instanceof Error ? Reflect.get(thrown, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
