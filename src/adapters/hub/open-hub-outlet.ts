import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { fail } from '#kit/app-error';
import type { HubOutlet } from '#spec/ports';

/** Writes a file as a whole, whatever happens. */
export type WriteFile = (path: string, bytes: Uint8Array | string) => Promise<void>;

/** The header has room for a hundred bytes, and what writes it would cut the rest off without a word. */
const LONGEST = 100;

/** Where published skills go: archives that are the same for the same files, whoever makes them, whenever. */
export function openHubOutlet(write: WriteFile): HubOutlet {
  return {
    pack(folder, files) {
      const entries = files
        .toSorted((one, other) => (one.path < other.path ? -1 : 1))
        .map(({ path, bytes }) => ({ name: `${folder}/${path}`, data: bytes }));
      const long = entries.find(({ name }) => Buffer.byteLength(name) > LONGEST);
      if (long)
        throw fail(
          'input.invalid',
          `${long.name} is longer than ${LONGEST} bytes.`,
          'Give it a shorter name.',
        );
      const attrs = { mode: '644', uid: 0, gid: 0, mtime: 0, user: '', group: '' };
      const packed = gzipSync(createTar(entries, { attrs }), { level: 9 });
      // The tenth byte names the system that packed it.
      packed[9] = 255;
      return packed;
    },
    write,
    async read(path) {
      try {
        return await readFile(path, 'utf8');
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw cause;
      }
    },
  };
}
