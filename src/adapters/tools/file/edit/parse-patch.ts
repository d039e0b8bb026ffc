import { type FilePatch, PatchSyntaxError } from './file-patch.ts';
import { parseUnified } from './parse-unified.ts';
import { parseV4a } from './parse-v4a.ts';

/** Reads a patch in either form: `*** Begin Patch` or a unified diff. Throws `PatchSyntaxError`. */
export function parsePatch(patch: string): FilePatch[] {
  const files = /^\s*\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )/m.test(patch)
    ? parseV4a(patch)
    : parseUnified(patch);
  if (files.length === 0)
    throw new PatchSyntaxError('no file in it: it takes a unified diff or the *** Begin Patch form');
  const empty = files.find((file) => file.kind === 'update' && file.hunks.length === 0 && !file.moveTo);
  if (empty) throw new PatchSyntaxError(`no change for ${empty.path} in it`);
  return files;
}
