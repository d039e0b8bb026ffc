import { existsSync, rmSync } from 'node:fs';
import { fileProblems } from './check.ts';
import { type Connection, openConnection } from './connection.ts';
import { repairDatabase, type RepairReport, type SalvageReport } from './repair.ts';
import { copyReadable, hasHeader, swapFiles } from './salvage.ts';
import { SESSION_SCHEMA } from './session-schema.ts';
import { isCorrupt } from './store-error.ts';

/**
 * Mends the file of a home while nobody has it open. Sound pages are mended in place; when the file itself is damaged,
 * what can be read goes into a new file and the damaged one is kept beside it.
 */
export async function repairSessionDatabase(path: string): Promise<RepairReport> {
  const inPlace = existsSync(path) && hasHeader(path) ? await mendInPlace(path) : undefined;
  if (inPlace) return inPlace;
  const salvaged = await salvage(path);
  const connection = await openConnection(path, SESSION_SCHEMA);
  try {
    return { ...connection.transaction(() => repairDatabase(connection)).immediate(), salvaged };
  } finally {
    connection.close();
  }
}

/** Undefined when the pages are damaged. */
async function mendInPlace(path: string): Promise<RepairReport | undefined> {
  let connection: Connection | undefined;
  try {
    connection = await openConnection(path, SESSION_SCHEMA);
    const mended = connection;
    if (fileProblems(mended).some(({ kind }) => kind === 'file')) return undefined;
    return mended.transaction(() => repairDatabase(mended)).immediate();
  } catch (error) {
    if (!isCorrupt(error) && !(error instanceof Error && isCorrupt(error.cause))) throw error;
    return undefined;
  } finally {
    connection?.close();
  }
}

async function salvage(path: string): Promise<SalvageReport> {
  const freshPath = `${path}.salvage`;
  for (const side of ['', '-wal', '-shm']) rmSync(freshPath + side, { force: true });
  const fresh = await openConnection(freshPath, SESSION_SCHEMA);
  let copied: Omit<SalvageReport, 'kept'> = { lost: {}, incomplete: ['all'] };
  try {
    if (existsSync(path) && hasHeader(path)) {
      const { default: Database } = await import('better-sqlite3');
      const damaged = new Database(path);
      try {
        copied = copyReadable(damaged, fresh);
      } finally {
        damaged.close();
      }
    }
    fresh.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    fresh.close();
  }
  return { kept: swapFiles(path, freshPath, new Date()), ...copied };
}
