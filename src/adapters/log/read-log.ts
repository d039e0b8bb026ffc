import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { isRecord } from '#kit/is-record';
import { sleep } from '#kit/sleep';
import { KEPT_FILES } from './rotating-file.ts';

const LOOK_MS = 250;
const PIECE = 64 * 1024;

/** One line of a log: as it stands there, and what it says; undefined for a line that a full disk has cut. */
export interface ReadLine {
  readonly text: string;
  readonly record: Readonly<Record<string, unknown>> | undefined;
}

type Wanted = (line: ReadLine) => boolean;

/** The last wanted lines of several logs, each cut into files, in the order of their times; undefined where there is none. */
export async function lastLines(
  paths: readonly string[],
  count: number,
  wanted: Wanted = () => true,
): Promise<readonly ReadLine[] | undefined> {
  const found = await Promise.all(paths.map((path) => lastOf(path, count, wanted)));
  if (found.every((lines) => lines === undefined)) return undefined;
  const lines = found
    .flatMap((each) => each ?? [])
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  return count === 0 ? [] : lines.slice(-count);
}

async function lastOf(path: string, count: number, wanted: Wanted) {
  let lines = await linesOf(path, wanted);
  let some = lines !== undefined;
  for (let number = 1; number < KEPT_FILES && (lines?.length ?? 0) < count; number++) {
    const older = await linesOf(`${path}.${number}`, wanted);
    some ||= older !== undefined;
    lines = [...(older ?? []), ...(lines ?? [])];
  }
  return some ? lines : undefined;
}

/** What has no time of its own stays behind the line before it. */
async function linesOf(
  path: string,
  wanted: Wanted,
): Promise<readonly (ReadLine & { readonly at: string })[] | undefined> {
  const text = await readFile(path, 'utf8').catch(unlessMissing);
  let last = '';
  return text
    ?.split('\n')
    .filter(Boolean)
    .map(readLine)
    .filter(wanted)
    .map((line) => {
      const at = line.record?.['at'];
      last = typeof at === 'string' ? at : last;
      return { ...line, at: last };
    });
}

export function readLine(text: string): ReadLine {
  try {
    const record: unknown = JSON.parse(text);
    return { text, record: isRecord(record) ? record : undefined };
  } catch {
    // A line that a full disk has cut.
    return { text, record: undefined };
  }
}

/** Lines as they are written after now, also into the files that take the place of these, until `signal` aborts. */
export async function* followLog(
  paths: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const tails = await Promise.all(paths.map(openTail));
  try {
    while (!signal.aborted) {
      const read = await Promise.all(tails.map((tail) => tail.more()));
      for (const { lines } of read) yield* lines;
      if (!read.some(({ again }) => again)) await sleep(LOOK_MS, signal);
    }
  } finally {
    for (const tail of tails) await tail.close();
  }
}

interface Tail {
  /** The lines since the last time. `again`: there may be more already. */
  more(): Promise<{ readonly lines: readonly string[]; readonly again: boolean }>;
  close(): Promise<void>;
}

async function openTail(path: string): Promise<Tail> {
  let file = await open(path).catch(unlessMissing);
  let place = file ? (await file.stat()).size : 0;
  let rest = '';
  return {
    more: async () => {
      file ??= await open(path).catch(unlessMissing);
      if (!file) return { lines: [], again: false };
      const { text, next } = await readOn(file, place);
      place = next;
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      if (text) return { lines: lines.filter(Boolean), again: true };
      // Only a file that was read to its end is left for the one that took its place.
      if (!(await isReplaced(file, path))) return { lines: [], again: false };
      await file.close();
      file = undefined;
      place = 0;
      return { lines: [], again: true };
    },
    close: async () => file?.close(),
  };
}

async function readOn(file: FileHandle, place: number): Promise<{ text: string; next: number }> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE), 0, PIECE, place);
  // Whole lines, so that no character is cut; a line without an end is read again.
  const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
  const taken = end === 0 && bytesRead === PIECE ? bytesRead : end;
  return { text: buffer.toString('utf8', 0, taken), next: place + taken };
}

async function isReplaced(file: FileHandle, path: string): Promise<boolean> {
  const [own, now] = await Promise.all([file.stat(), stat(path).catch(unlessMissing)]);
  return now !== undefined && now.ino !== own.ino;
}

function unlessMissing(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== 'ENOENT') throw thrown;
}
