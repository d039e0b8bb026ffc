import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { fail } from '#kit/app-error';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;

/**
 * Opens a regular file whose real path is known, and lets `check` judge the path of what was opened: a link put in
 * its place since then is not followed, and a folder swapped on the way is noticed.
 */
export async function openFile(real: string, check: (actual: string) => void): Promise<FileHandle> {
  return opened(real, (O_RDONLY | O_NOFOLLOW | O_NONBLOCK) >>> 0, check, async (handle) => {
    const found = await handle.stat();
    if (found.isDirectory()) throw fail('tool.failed', `${real} is a folder`);
    if (!found.isFile()) throw fail('tool.refused', `${real} is a device, a pipe or a socket`);
  });
}

/** The same for a folder. Throws `ENOENT` when there is none. */
export async function openFolder(real: string, check: (actual: string) => void): Promise<FileHandle> {
  return opened(real, (O_RDONLY | O_NOFOLLOW | O_DIRECTORY) >>> 0, check, async () => undefined);
}

async function opened(
  path: string,
  flags: number,
  check: (actual: string) => void,
  inspect: (handle: FileHandle) => Promise<void>,
): Promise<FileHandle> {
  const handle = await open(path, flags).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code === 'ELOOP') throw movedAway(path, cause);
    throw cause;
  });
  try {
    await inspect(handle);
    check((await anchorOf(handle))?.actual ?? (await confirm(handle, path)));
    return handle;
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

/** A name for the open thing itself, whatever becomes of its path, and the path it has now. Linux only. */
export async function anchorOf(
  handle: FileHandle,
): Promise<{ readonly name: string; readonly actual: string } | undefined> {
  if (process.platform !== 'linux') return undefined;
  const name = `/proc/self/fd/${handle.fd}`;
  // Where /proc is not there, nobody can tell.
  const actual = await readlink(name).catch(() => undefined);
  return actual === undefined ? undefined : { name, actual: actual.replace(/ \(deleted\)$/, '') };
}

/** Where the system cannot tell the path of an open file: the path must still lead to it. */
async function confirm(handle: FileHandle, path: string): Promise<string> {
  const real = await realpath(path);
  const [found, held] = [await stat(real), await handle.stat()];
  if (found.ino !== held.ino || found.dev !== held.dev) throw movedAway(path);
  return real;
}

function movedAway(path: string, cause?: unknown) {
  return fail('tool.refused', `${path} was replaced by a link while it was being opened`, undefined, cause);
}

const CHUNK = 1024 * 1024;

/** Up to `most` bytes from `start`. It reads until nothing comes: the files of `/proc` say that they are empty. */
export async function readBytes(handle: FileHandle, start: number, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let read = 0; read < most; ) {
    const chunk = new Uint8Array(Math.min(CHUNK, most - read));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, start + read);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    read += bytesRead;
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
