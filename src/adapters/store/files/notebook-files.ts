import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '#kit/app-error';
import { redact } from '#kit/redact';
import type { NotebookFiles } from '#spec/ports';
import { atomicWrite } from './atomic-write.ts';
import { withFileLock } from '#adapters/io/file-lock';
import { readText } from './read-text.ts';
import { pathParts, plainName } from './safe-path.ts';

const DEEPEST = 4;
/** Files that stand beside a notebook while it is written. */
const PASSING = /^\.|\.lock$|\.takeover$/;

/**
 * Notebooks as files for their owner alone, below one folder that need not be there yet. Nothing is written but through
 * `clean`, which takes secrets out.
 */
export function notebookFiles(
  root: string,
  { clean = redact }: { readonly clean?: (text: string) => string } = {},
): NotebookFiles {
  const fileOf = (folder: string, name: string): string =>
    join(root, ...(folder === '' ? [] : pathParts(folder)), plainName(name));
  return {
    read: async (folder, name) => readText(fileOf(folder, name)),
    edit: async (folder, name, change) => {
      const path = fileOf(folder, name);
      return withFileLock(path, async () => {
        const text = (await readText(path)) ?? '';
        await keepBytes(path, text);
        const wanted = await change(text);
        if (wanted === undefined || wanted === text) return text;
        const changed = clean(wanted);
        if (changed === '') await rm(path, { force: true });
        else await atomicWrite(path, changed, { mode: 0o600 });
        return changed;
      });
    },
    folders: () => foldersBelow(root, '', 0),
  };
}

/** What somebody wrote in another encoding would be written back as marks for unknown characters. */
async function keepBytes(path: string, text: string): Promise<void> {
  if (!text.includes('\ufffd') || (await readFile(path)).equals(Buffer.from(text))) return;
  throw fail('input.invalid', `${path} is not UTF-8, and nothing was changed`, 'Save it as UTF-8');
}

async function foldersBelow(root: string, folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  });
  const seen = entries
    .filter(({ name }) => !PASSING.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const found = seen.some((entry) => entry.isFile()) ? [folder] : [];
  if (depth === DEEPEST) return found;
  for (const entry of seen)
    if (entry.isDirectory()) {
      const below = folder === '' ? entry.name : `${folder}/${entry.name}`;
      found.push(...(await foldersBelow(root, below, depth + 1)));
    }
  return found;
}
