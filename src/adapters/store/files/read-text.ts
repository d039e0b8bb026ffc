import { readFile } from 'node:fs/promises';
import { fail } from '#kit/app-error';

/** The text of a file; undefined when there is none. Anything else throws `config.unreadable`. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw fail(
      'config.unreadable',
      `Cannot read ${path}: ${message}`,
      'Check that it is a file you may read.',
      cause,
    );
  }
}
