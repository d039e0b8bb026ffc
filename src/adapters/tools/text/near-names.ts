import { posix } from 'node:path';
import { AppError } from '#kit/app-error';
import { nearest } from '#kit/nearest';
import type { Files } from '#spec/ports';
import { withPowers } from '../file-powers.ts';

const MOST = 3;

/** Paths that may be what was meant: a name like it in the same folder, the same name elsewhere. */
export async function nearNames(path: string, files: Files, signal: AbortSignal): Promise<string[]> {
  const [folder, name] = [posix.dirname(path), posix.basename(path)];
  try {
    const beside = await namesIn(folder, files, signal);
    const like = nearest(name, beside);
    const same = await files.find(`**/${name.replace(/[*?[\]{}\\]/g, '\\$&')}`, MOST, signal);
    const candidates = like === undefined ? same : [posix.join(folder, like), ...same];
    return [...new Set(candidates)].slice(0, MOST);
  } catch (cause) {
    // A folder that is missing or may not be seen has no names to offer.
    if (cause instanceof AppError) return [];
    throw cause;
  }
}

async function namesIn(folder: string, files: Files, signal: AbortSignal): Promise<string[]> {
  if ((await files.stat(folder))?.kind !== 'folder') return [];
  const { list } = withPowers(files);
  const names = list ? await list(folder) : await files.find(`${folder}/*`, 1_000, signal);
  return names.map((entry) => posix.basename(entry));
}
