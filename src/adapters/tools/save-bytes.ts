import { fail } from '#kit/app-error';
import type { Files } from '#spec/ports';
import { withPowers } from './file-powers.ts';

/** Writes a file, or deletes it (`undefined`), unless it is no longer what was read (`undefined`: not there). */
export async function saveBytes(
  files: Files,
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): Promise<void> {
  const { replace, remove } = withPowers(files);
  if (after === undefined) {
    if (before === undefined) return;
    if (!remove) throw fail('tool.failed', `Files cannot be deleted here: ${path}`);
    return remove(path, before);
  }
  if (replace) return replace(path, before, after);
  const now = (await files.stat(path)) && (await files.read(path));
  const same = now && before ? Buffer.from(now).equals(before) : now === before;
  if (!same) throw fail('tool.failed', `${path} was changed by someone else; read it again first`);
  return files.write(path, after);
}
