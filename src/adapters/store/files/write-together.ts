import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { z } from 'zod';
import { ignoreMissing } from '#adapters/io/ignore-missing';
import { AppError, fail } from '#kit/app-error';
import { storeFailure } from '#kit/store-failure';
import { withFileLock } from '#adapters/io/file-lock';
import { pathParts } from './safe-path.ts';

export interface FileChange {
  /** Below the root. */
  readonly path: string;
  /** Undefined removes the file. */
  readonly text: string | undefined;
}

/** What is being changed, and whether a file was there before. */
const Plan = z.array(z.object({ path: z.string(), had: z.boolean() }));
type Plan = z.infer<typeof Plan>;

const STAGING = '.staged';
const PLAN = 'plan.json';

/**
 * Writes and removes files below `root`, all of them or none. New texts are staged beside the tree, then moved into their
 * places while the old files are kept; where one move fails, everything is put back. A process that is killed in
 * between leaves its plan, and the next call of `settleAbandoned` or `writeTogether` puts back what it had begun.
 */
export async function writeTogether(root: string, changes: readonly FileChange[]): Promise<void> {
  if (changes.length === 0) return;
  const paths = changes.map(({ path }) => pathParts(path).join('/'));
  if (new Set(paths).size < paths.length) throw fail('input.invalid', 'A file is to be written twice');
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const path of paths) await refuseLinks(root, path);
  await withFileLock(join(root, '.write'), async () => {
    await putBackAbandoned(root);
    const place = join(root, STAGING, randomBytes(6).toString('hex'));
    await mkdir(place, { recursive: true, mode: 0o700 });
    try {
      const plan = await stage(root, place, changes);
      await moveIn(root, place, plan, changes);
      // From here on the change is done, whatever happens.
      await rename(join(place, PLAN), join(place, 'done'));
    } catch (cause) {
      await putBack(root, place);
      const message = `Cannot write below ${root}: ${(cause as Error).message}`;
      const record = { code: 'config.unreadable', message, retry: { again: false } } as const;
      throw new AppError(storeFailure(cause, root) ?? record, { cause });
    } finally {
      await rm(place, { recursive: true, force: true });
    }
    for (const { path, text } of changes) if (text === undefined) await removeEmpty(root, path);
    await rmdir(join(root, STAGING)).catch(ignoreUsed);
  });
}

/** Puts back what a killed process had begun. Costs one look when there is nothing. */
export async function settleAbandoned(root: string): Promise<void> {
  if (existsSync(join(root, STAGING))) await withFileLock(join(root, '.write'), () => putBackAbandoned(root));
}

async function stage(root: string, place: string, changes: readonly FileChange[]): Promise<Plan> {
  const plan: Plan = [];
  for (const [at, { path, text }] of changes.entries()) {
    const found = await lstat(join(root, path)).catch(ignoreMissing);
    if (found?.isDirectory()) throw new Error(`${path} is a folder`);
    plan.push({ path, had: found !== undefined });
    const mode = found?.isFile() ? found.mode & 0o7777 : 0o600;
    if (text !== undefined) await writeDurably(join(place, `new-${at}`), text, mode);
  }
  await writeDurably(join(place, PLAN), JSON.stringify(plan), 0o600);
  return plan;
}

async function moveIn(
  root: string,
  place: string,
  plan: Plan,
  changes: readonly FileChange[],
): Promise<void> {
  for (const [at, { path, had }] of plan.entries()) {
    const target = join(root, path);
    if (had) await rename(target, join(place, `old-${at}`));
    if (changes[at]?.text === undefined) continue;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(join(place, `new-${at}`), target);
  }
}

/** Undoes as much of a plan as was done; may itself be done again. */
async function putBack(root: string, place: string): Promise<void> {
  if (!existsSync(join(place, PLAN))) return;
  const plan = Plan.parse(JSON.parse(readFileSync(join(place, PLAN), 'utf8')));
  for (const [at, { path, had }] of [...plan.entries()].toReversed()) {
    const [old, fresh, target] = [join(place, `old-${at}`), join(place, `new-${at}`), join(root, path)];
    if (existsSync(old)) await rename(old, target);
    else if (!had && !existsSync(fresh)) {
      await rm(target, { force: true });
      await removeEmpty(root, path);
    }
  }
}

/** Whoever holds the lock is the only writer: whatever is staged was left behind. */
async function putBackAbandoned(root: string): Promise<void> {
  const staging = join(root, STAGING);
  for (const name of (await readdir(staging).catch(ignoreMissing)) ?? []) {
    await putBack(root, join(staging, name));
    await rm(join(staging, name), { recursive: true, force: true });
  }
  await rmdir(staging).catch(ignoreUsed);
}

/** No folder on the way to the file may lead out of the root. */
async function refuseLinks(root: string, path: string): Promise<void> {
  const real = await realpath(root);
  const parts = pathParts(path);
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = join(root, ...parts.slice(0, depth));
    const found = await realpath(folder).catch(ignoreMissing);
    if (found === undefined && !(await lstat(folder).catch(ignoreMissing))) return;
    if (!found?.startsWith(real + sep) || !(await stat(found)).isDirectory())
      throw fail(
        'input.invalid',
        `${path} does not lie below ${root}: ${parts.slice(0, depth).join('/')} leads elsewhere`,
      );
  }
}

async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(text, 'utf8');
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Folders that a removed file leaves empty go with it. */
async function removeEmpty(root: string, path: string): Promise<void> {
  const parts = pathParts(path);
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const folder = join(root, ...parts.slice(0, depth));
    const left = await readdir(folder).catch(ignoreMissing);
    if (left === undefined) continue;
    if (left.length > 0) return;
    await rmdir(folder).catch(ignoreUsed);
  }
}

function ignoreUsed(cause: unknown): void {
  if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
}
