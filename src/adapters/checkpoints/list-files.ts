import { constants, type Dirent, type Stats } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '#kit/app-error';
import { isLeftOutFolder, isSecretFile } from './left-out.ts';

export interface ListedFile {
  /** Relative to the workspace, with slashes. */
  readonly path: string;
  /** When anything about it last changed; unlike the time of its content, nobody can set it. */
  readonly changedMs: number;
}

interface ListedFiles {
  readonly files: readonly ListedFile[];
  /** Secrets, what is too large, and what cannot be read. */
  readonly leftOut: readonly string[];
}

export interface ListLimits {
  readonly files: number;
  readonly bytes: number;
  readonly fileBytes: number;
}

/** The files that a checkpoint holds: regular ones and links, which are not followed. */
export async function listFiles(
  workspace: string,
  hidden: readonly string[],
  limits: ListLimits,
): Promise<ListedFiles> {
  const files: ListedFile[] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  const look = async (path: string, name: string): Promise<void> => {
    const found = await statOf(join(workspace, path));
    if (!found) return;
    const kept = found.size <= limits.fileBytes && !isSecretFile(name);
    if (!kept || !(await isReadable(join(workspace, path), found))) return void leftOut.push(path);
    files.push({ path, changedMs: found.ctimeMs });
    bytes += found.size;
  };
  const visit = async (folder: string): Promise<void> => {
    // A name that is no valid text cannot be written down, and `.git` in any spelling is not ours.
    const entries = (await entriesOf(join(workspace, folder)))
      .filter(({ name }) => !name.includes('\ufffd') && !isLeftOutFolder(name))
      .map((entry) => ({ entry, path: folder === '' ? entry.name : `${folder}/${entry.name}` }))
      .filter(({ path }) => !hidden.includes(join(workspace, path)));
    const own = entries.filter(({ entry }) => entry.isFile() || entry.isSymbolicLink());
    await Promise.all(own.map(({ entry, path }) => look(path, entry.name)));
    if (files.length > limits.files || bytes > limits.bytes)
      throw fail(
        'tool.failed',
        `${workspace} is too large for checkpoints (more than ${limits.files} files or ${limits.bytes >> 20} MB)`,
        'start Hermes in the folder of one project',
      );
    for (const { entry, path } of entries) if (entry.isDirectory()) await visit(path);
  };
  await visit('');
  return { files, leftOut };
}

/** Undefined when it is gone by now. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Of a folder that may not be read, nothing. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

const isReadable = async (path: string, found: Stats): Promise<boolean> =>
  found.isSymbolicLink() ||
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
