import { statSync } from 'node:fs';
import { AppError } from '#kit/app-error';
import type { StoreFile } from './store-error.ts';

/** What this process knows of a file that it has open, by its path. */
interface Standing {
  readonly identity: string;
  damage?: AppError;
}
const standings = new Map<string, Standing>();

/**
 * Begins to watch over a file that was just opened. The function that is given back throws where what is written would be
 * lost: SQLite itself writes on into a file that somebody has removed or replaced, and beside pages that are damaged.
 */
export function watchFile(file: StoreFile): () => void {
  const identity = identityOf(file.path);
  // What lives in memory only has no file.
  if (identity === undefined) return () => undefined;
  const standing: Standing = { identity };
  standings.set(file.path, standing);
  return () => requireStanding(file, standing);
}

/** The same for whoever only knows the path. A file that this process has not opened is not judged. */
export function requireStanding(file: StoreFile, standing = standings.get(file.path)): void {
  if (!standing) return;
  if (standing.damage) throw standing.damage;
  if (identityOf(file.path) !== standing.identity) throw new AppError(moved(file));
}

/** Nothing more is written to this file by this process, until it is opened anew. */
export function noteDamage({ path }: StoreFile, damage: AppError): void {
  const standing = standings.get(path);
  if (standing) standing.damage = damage;
}

const moved = ({ path, store }: StoreFile) => ({
  code: 'store.failing' as const,
  message: `${path}: it was removed, moved or replaced while Hermes has it open`,
  retry: { again: true, afterMs: 10_000 },
  details: { path, store },
});

/** The file behind a path, whatever it is called. It is only asked about: opening and closing it would end SQLite's locks. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
