import { createHash } from 'node:crypto';
import type { LockedFile } from '#spec/data';
import { isPlainFolder, readFolder } from './read-folder.ts';

/** Whether a folder holds exactly these files, byte for byte, and nothing that is not a file. */
export async function hasSameFiles(folder: string, files: readonly LockedFile[]): Promise<boolean> {
  if (!(await isPlainFolder(folder))) return false;
  const found = await readFolder(folder);
  if (found.odd.length > 0 || found.files.length !== files.length) return false;
  const wanted = new Map(files.map((file) => [file.path, file.sha256]));
  return found.files.every(
    ({ path, bytes }) => wanted.get(path) === createHash('sha256').update(bytes).digest('hex'),
  );
}
