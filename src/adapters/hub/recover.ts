import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ignoreMissing } from '#adapters/io/ignore-missing';
import { processIsGone } from '#adapters/io/process-is-gone';
import { LockedFile } from '#spec/data';
import type { WriteFile } from './open-hub-outlet.ts';
import { isPlainFolder } from './read-folder.ts';
import { hasSameFiles } from './same-files.ts';

const Path = z.string().regex(/^[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)*$/);

/** What was about to happen, written before the first folder moved. */
const Journal = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('place'),
    id: z.string(),
    path: Path,
    replace: z.boolean(),
    files: z.array(LockedFile).readonly(),
    lock: z.string(),
  }),
  z.object({ kind: z.literal('remove'), id: z.string(), path: Path, lock: z.string() }),
]);
export type Journal = z.infer<typeof Journal>;

export interface Recovery {
  readonly at: (path: string) => string;
  readonly lockFile: string;
  readonly write: WriteFile;
}

/** A fetch of a process that we cannot ask about is over by then. */
const FORGOTTEN_MS = 24 * 3600 * 1000;

/**
 * Clears one quarantine. Called under the lock, under which alone folders move: a journal that is found there belongs to
 * nobody any more. A skill that arrived as it was judged is entered in the lockfile; anything else is as if never asked.
 */
export async function recoverOne(id: string, room: string, { at, lockFile, write }: Recovery): Promise<void> {
  const journal = await readJournal(join(room, 'move.json'));
  if (!journal) {
    if (await isAbandoned(room)) await rm(room, { recursive: true, force: true });
    return;
  }
  const target = at(journal.path);
  const old = join(room, 'old');
  if (journal.kind === 'remove') {
    if (await isPlainFolder(old)) await write(lockFile, journal.lock);
  } else if (await hasSameFiles(target, journal.files)) await write(lockFile, journal.lock);
  else if (await isPlainFolder(old)) {
    if (await isPlainFolder(target)) await rename(target, join(room, `bad-${id}`));
    await rename(old, target);
  }
  await rm(room, { recursive: true, force: true });
}

/** Undefined when there is none, or when it was never finished: then no folder has moved. */
async function readJournal(path: string): Promise<Journal | undefined> {
  try {
    return Journal.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch (cause) {
    if (cause instanceof SyntaxError || (cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}

async function isAbandoned(room: string): Promise<boolean> {
  const { mtimeMs } = await stat(room);
  if (Date.now() - mtimeMs > FORGOTTEN_MS) return true;
  const owner = await readFile(join(room, 'owner'), 'utf8').catch(ignoreMissing);
  // No owner yet: the folder was made a moment ago, or its maker died then.
  if (owner === undefined) return Date.now() - mtimeMs > 60_000;
  return processIsGone(Number(owner) || 0x7f_ff_ff_ff);
}
