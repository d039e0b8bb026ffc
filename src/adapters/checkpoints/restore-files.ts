import type { Stats } from 'node:fs';
import { chmod, lchown, lstat, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RestoreReport } from '#spec/ports';
import { type RunGit, toNul } from './run-git.ts';

interface RestorePlan {
  readonly tree: string;
  /** Not in the checkpoint: to be removed. */
  readonly remove: readonly string[];
  /** Different in the checkpoint, or missing now. */
  readonly write: readonly string[];
}

type Failure = RestoreReport['failed'][number];

/** Makes the files of a plan as they were. Whatever stands in the way and is part of no checkpoint is left alone. */
export async function restoreFiles(
  run: RunGit,
  workspace: string,
  index: string,
  plan: RestorePlan,
): Promise<Pick<RestoreReport, 'restored' | 'removed' | 'failed'>> {
  const failed: Failure[] = [];
  const removed: string[] = [];
  for (const path of plan.remove) {
    const reason = await removeFile(workspace, path);
    if (reason) failed.push({ path, reason });
    else removed.push(path);
  }
  const ready: { path: string; before: Stats | undefined }[] = [];
  for (const path of plan.write) {
    const reason = await blocked(workspace, path);
    if (reason) failed.push({ path, reason });
    else ready.push({ path, before: await entryAt(join(workspace, path)) });
  }
  if (ready.length > 0)
    await checkOut(
      run,
      index,
      plan.tree,
      ready.map(({ path }) => path),
    );
  for (const { path, before } of ready) await likeBefore(join(workspace, path), before);
  return { restored: ready.map(({ path }) => path), removed, failed };
}

async function checkOut(run: RunGit, index: string, tree: string, paths: readonly string[]): Promise<void> {
  const env = { GIT_INDEX_FILE: index };
  try {
    await run(['read-tree', tree], { env });
    await run(['checkout-index', '--force', '-z', '--stdin'], { env, input: toNul(paths) });
  } finally {
    await rm(index, { force: true });
  }
}

async function removeFile(workspace: string, path: string): Promise<string | undefined> {
  const reason = await blocked(workspace, path);
  if (reason) return reason;
  try {
    await unlink(join(workspace, path));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return codeOf(error) ?? String(error);
  }
  await removeEmptyFolders(workspace, dirname(path));
  return undefined;
}

/** Folders that are empty now: checkpoints know files only. */
async function removeEmptyFolders(workspace: string, folder: string): Promise<void> {
  for (let path = folder; path !== '.' && path !== '/'; path = dirname(path)) {
    try {
      await rmdir(join(workspace, path));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') continue;
      return;
    }
  }
}

/** Why a file cannot be written or removed: a link on the way would lead elsewhere, a folder may hold other things. */
async function blocked(workspace: string, path: string): Promise<string | undefined> {
  const segments = path.split('/');
  for (let depth = 1; depth < segments.length; depth += 1) {
    const parent = segments.slice(0, depth).join('/');
    const entry = await entryAt(join(workspace, parent));
    if (entry && !entry.isDirectory()) return `${parent} is not a folder now`;
  }
  const own = await entryAt(join(workspace, path));
  return own?.isDirectory() ? 'a folder stands in its place' : undefined;
}

async function entryAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Git makes a new file: it gets the mode of the one that it replaces, and its owner, or that of its folder. */
async function likeBefore(path: string, before: Stats | undefined): Promise<void> {
  const now = await lstat(path);
  if (before?.isFile() && now.isFile()) {
    const runs = (now.mode & 0o100) !== 0;
    await chmod(path, (before.mode & 0o666) | (runs ? (before.mode & 0o444) >> 2 : 0));
  }
  const { uid, gid } = before ?? (await lstat(dirname(path)));
  if (process.getuid?.() === 0 && (uid !== now.uid || gid !== now.gid)) await lchown(path, uid, gid);
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
