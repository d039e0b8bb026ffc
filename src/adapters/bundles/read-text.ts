import { open } from 'node:fs/promises';
import { constants } from 'node:fs';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MOST_FILE_BYTES, MOST_TEXT_BYTES } from './limits.ts';
import { malformed } from './malformed.ts';

const unpack = promisify(gunzip);

/** The text of a file, unpacked if its name ends in `.gz`. Undefined where there is no such file. */
export async function readText(path: string): Promise<string | undefined> {
  const bytes = await readBytes(path);
  if (!bytes || !path.endsWith('.gz')) return bytes?.toString('utf8');
  try {
    return (await unpack(bytes, { maxOutputLength: MOST_TEXT_BYTES })).toString('utf8');
  } catch (cause) {
    const tooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const why = tooLarge ? `unpacks to more than ${MOST_TEXT_BYTES} bytes` : 'is not a whole gzip file';
    throw malformed(path, undefined, why, cause);
  }
}

async function readBytes(path: string): Promise<Buffer | undefined> {
  try {
    // Without O_NONBLOCK a pipe in place of a file would be waited for without end.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw malformed(path, undefined, 'is not a file');
      if (found.size > MOST_FILE_BYTES) {
        throw malformed(path, undefined, `is larger than ${MOST_FILE_BYTES} bytes`);
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}
