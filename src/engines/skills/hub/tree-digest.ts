import { createHash } from 'node:crypto';
import type { LockedFile } from '#spec/data';
import type { HubFile } from '#spec/ports';

export const lockedFiles = (files: readonly HubFile[]): LockedFile[] =>
  files
    .map(({ path, bytes }) => ({
      path,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));

/** One hash for all files and their names. */
export function treeDigest(files: readonly LockedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, sha256 } of files.toSorted((one, other) => (one.path < other.path ? -1 : 1)))
    hash.update(`${sha256}  ${path}\0`);
  return hash.digest('hex');
}
