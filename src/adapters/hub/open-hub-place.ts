import { lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '#kit/app-error';
import type { HubFile, HubMove, HubPlace } from '#spec/ports';
import type { WriteFile } from './open-hub-outlet.ts';
import { isPlainFolder, LEFTOVERS, readFolder } from './read-folder.ts';
import { refuse } from './refuse.ts';
import { type Journal, recoverOne } from './recover.ts';
import { hasSameFiles } from './same-files.ts';

export interface HubPlaceOptions {
  /** The skills of the home. */
  readonly skills: string;
  /** One at a time among all processes, such as `withFileLock`. */
  readonly lock: <T>(path: string, work: () => Promise<T>) => Promise<T>;
  /** Whole or not at all, such as `atomicWrite`. */
  readonly write: WriteFile;
}

const LOCK_FILE = 'hub.lock.json';
const QUARANTINE = '.quarantine';

/**
 * The skills of the home on disk. A change is written down in the quarantine before the first folder moves, so that
 * after a crash it is either finished or taken back: see `recover.ts`.
 */
export function openHubPlace({ skills, lock, write }: HubPlaceOptions): HubPlace {
  const lockFile = join(skills, LOCK_FILE);
  const room = (id: string) => join(skills, QUARANTINE, plainName(id));
  const at = (path: string) => join(skills, ...inside(path));
  const note = (id: string, journal: Journal) => write(join(room(id), 'move.json'), JSON.stringify(journal));
  const recovery = { at, lockFile, write };

  return {
    async readLock() {
      try {
        return await readFile(lockFile, 'utf8');
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw cause;
      }
    },
    async read(path) {
      if (!(await isPlainFolder(at(path)))) return undefined;
      const { files, odd } = await readFolder(at(path), LEFTOVERS);
      return { files, links: odd };
    },
    async quarantine(id, files) {
      const tree = join(room(id), 'tree');
      await mkdir(tree, { recursive: true, mode: 0o700 });
      await writeFile(join(room(id), 'owner'), String(process.pid), { mode: 0o600 });
      for (const file of files) await writeNew(tree, file);
      return (await readFolder(tree)).files;
    },
    discard: (id) => rm(room(id), { recursive: true, force: true }),
    async place(move) {
      const target = at(move.path);
      await refuseLinks(skills, move.path);
      await note(move.id, { kind: 'place', ...move });
      await moveIn(room(move.id), target, move);
      await write(lockFile, move.lock);
      await rm(room(move.id), { recursive: true, force: true });
    },
    async remove(path, text) {
      if (path === undefined) return write(lockFile, text);
      const id = `remove-${process.pid}-${Date.now().toString(36)}`;
      await note(id, { kind: 'remove', id, path, lock: text });
      if (await isPlainFolder(at(path))) await rename(at(path), join(room(id), 'old'));
      await write(lockFile, text);
      await rm(room(id), { recursive: true, force: true });
      await dropEmpty(dirname(at(path)), skills);
    },
    exclusively: (work) =>
      lock(lockFile, async () => {
        for (const id of await rooms(skills)) await recoverOne(id, room(id), recovery);
        return work();
      }),
  };
}

async function moveIn(room: string, target: string, move: HubMove): Promise<void> {
  const tree = join(room, 'tree');
  const old = join(room, 'old');
  if (!(await hasSameFiles(tree, move.files))) throw refuse('What was judged changed on its way in.');
  const taken = await exists(target);
  if (taken && !move.replace) throw fail('input.invalid', `${move.path} is taken.`);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  if (taken) await rename(target, old);
  await rename(tree, target);
  if (await hasSameFiles(target, move.files)) return;
  await rename(target, tree);
  if (taken) await rename(old, target);
  throw refuse('What was judged changed on its way in.');
}

/** New, private, without the right to be run, and never through a link. */
async function writeNew(tree: string, { path, bytes }: HubFile): Promise<void> {
  const target = join(tree, ...inside(path));
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await writeFile(target, bytes, { mode: 0o600, flag: 'wx' });
}

async function rooms(skills: string): Promise<string[]> {
  try {
    return await readdir(join(skills, QUARANTINE));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}

/** A folder of the way that is a link would take the skill elsewhere. */
async function refuseLinks(skills: string, path: string): Promise<void> {
  const parts = inside(path);
  for (let count = 1; count < parts.length; count += 1) {
    const folder = join(skills, ...parts.slice(0, count));
    if ((await exists(folder)) && !(await isPlainFolder(folder)))
      throw refuse(`${parts.slice(0, count).join('/')} is no folder.`);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw cause;
  }
}

async function dropEmpty(folder: string, root: string): Promise<void> {
  if (folder === root) return;
  try {
    await rmdir(folder);
  } catch (cause) {
    const kept = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];
    if (!kept.includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  }
}

/** The parts of a relative path. The engine has checked it; this is the last door. */
function inside(path: string): string[] {
  const parts = path.split('/');
  // oxlint-disable-next-line no-control-regex
  const odd = (part: string) => part === '' || part === '.' || part === '..' || /[\0-\x1f\\:]/.test(part);
  if (parts.some(odd)) throw refuse(`${JSON.stringify(path)} leads elsewhere.`);
  return parts;
}

function plainName(id: string): string {
  if (!/^[\w-]{1,80}$/.test(id)) throw fail('internal', `${JSON.stringify(id)} is no name for a quarantine.`);
  return id;
}
