import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** Where a path leads once every link is followed, also when its end does not exist yet. */
export async function realPathOf(path: string, links = MOST_LINKS): Promise<string> {
  const real = await unlessMissing(realpath(path));
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) return path;
  const place = join(await realPathOf(parent, links), basename(path));
  // A link whose target is still to be made is the place of that target.
  const target = links > 0 ? await unlessMissing(readlink(place)) : undefined;
  return target === undefined ? place : realPathOf(resolve(dirname(place), target), links - 1);
}

/** Undefined for what is not there, and for the target of what is no link. */
async function unlessMissing(found: Promise<string>): Promise<string | undefined> {
  try {
    return await found;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}
