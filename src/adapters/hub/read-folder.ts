import { lstat, open, readdir } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join } from 'node:path';
import type { FetchedTree, HubFile } from '#spec/ports';
import { MOST_ENTRIES, MOST_UNPACKED } from './limits.ts';
import { refuse } from './refuse.ts';

/** What programs leave behind wherever they run. */
export const LEFTOVERS: ReadonlySet<string> = new Set(['.DS_Store', '__pycache__']);
/** Never part of a skill. */
export const NOT_OF_A_SKILL: ReadonlySet<string> = new Set(['.git', 'node_modules', ...LEFTOVERS]);
const DEEPEST = 12;

/** The plain files below a folder. Links and devices are named; nothing is read through a link. */
export async function readFolder(
  folder: string,
  leftOut: ReadonlySet<string> = new Set(),
): Promise<Pick<FetchedTree, 'files' | 'odd'>> {
  const files: HubFile[] = [];
  const odd: string[] = [];
  let left = MOST_UNPACKED;
  const walk = async (relative: string, depth: number): Promise<void> => {
    const entries = await readdir(join(folder, relative), { withFileTypes: true });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (leftOut.has(entry.name)) continue;
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth >= DEEPEST) throw refuse('Its folders are too deep.');
        await walk(path, depth + 1);
      } else if (entry.isFile()) {
        if (files.length >= MOST_ENTRIES) throw refuse(`It has more than ${MOST_ENTRIES} files.`);
        const bytes = await readPlain(join(folder, path), left);
        left -= bytes.length;
        files.push({ path, bytes });
      } else odd.push(path);
    }
  };
  await walk('', 0);
  return { files, odd };
}

/** Opened without following a link, so that a file that is swapped for one meanwhile fails. */
async function readPlain(path: string, most: number): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw refuse('It changed while it was read.');
    if (found.size > most) throw refuse(`It holds more than ${MOST_UNPACKED} bytes.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Whether there is a folder, and not a link to one. */
export async function isPlainFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw cause;
  }
}
