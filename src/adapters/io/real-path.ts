import { ignoreMissing } from './ignore-missing.ts';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

const MOST_LINKS = 40;

/**
 * Where a path leads once every link is followed, also when its last parts do not exist yet: a link to a missing
 * file gives the place where that file would be made.
 */
export async function realPathOf(path: string, links = 0): Promise<string> {
  const real = await realpath(path).catch(ignoreMissing);
  if (real !== undefined) return real;
  const entry = await lstat(path).catch(ignoreMissing);
  if (entry?.isSymbolicLink()) {
    if (links >= MOST_LINKS) throw new Error(`too many links at ${path}`);
    const target = resolve(await realPathOf(dirname(path), links), await readlink(path));
    return realPathOf(target, links + 1);
  }
  const parent = dirname(path);
  return parent === path ? path : join(await realPathOf(parent, links), basename(path));
}
