import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { sleep } from '#kit/sleep';

const LOOK_MS = 250;
const PIECE = 64 * 1024;
const OLDER = 2;

/** The last lines of a log that is cut into files, oldest first; undefined where there is none. */
export async function lastLines(path: string, count: number): Promise<readonly string[] | undefined> {
  let lines = await linesOf(path);
  if (!lines) return undefined;
  for (let number = 1; number <= OLDER && lines.length < count; number++)
    lines = [...((await linesOf(`${path}.${number}`)) ?? []), ...lines];
  return count === 0 ? [] : lines.slice(-count);
}

async function linesOf(path: string): Promise<string[] | undefined> {
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined;
    throw thrown;
  });
  return text?.split('\n').filter(Boolean);
}

/** Lines as they are written after now, also into the files that take this one's place, until `signal` aborts. */
export async function* followLog(path: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  let file = await open(path);
  let place = (await file.stat()).size;
  let rest = '';
  try {
    while (!signal.aborted) {
      const { text, next } = await readOn(file, place);
      place = next;
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line) yield line;
      if (text) continue;
      // Only a file that was read to its end is left for the one that took its place.
      if (await isReplaced(file, path)) {
        await file.close();
        file = await open(path);
        place = 0;
      } else await sleep(LOOK_MS, signal);
    }
  } finally {
    await file.close();
  }
}

async function readOn(file: FileHandle, place: number): Promise<{ text: string; next: number }> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE), 0, PIECE, place);
  // Whole lines, so that no character is cut; a line without an end is read again.
  const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
  const taken = end === 0 && bytesRead === PIECE ? bytesRead : end;
  return { text: buffer.toString('utf8', 0, taken), next: place + taken };
}

async function isReplaced(file: FileHandle, path: string): Promise<boolean> {
  const [own, now] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
  return now !== undefined && now.ino !== own.ino;
}
