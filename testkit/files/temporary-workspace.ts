import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TemporaryWorkspace {
  readonly root: string;
  put(path: string, content: string | Uint8Array): Promise<void>;
  /** The text of a file, with its line endings and marks as they are. */
  text(path: string): Promise<string>;
  close(): Promise<void>;
}

/** A new empty folder of this machine. */
export async function temporaryWorkspace(): Promise<TemporaryWorkspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'hermes-workspace-')));
  return {
    root,
    async put(path, content) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    text: (path) => readFile(join(root, path), 'utf8'),
    close: () => rm(root, { recursive: true, force: true }),
  };
}
