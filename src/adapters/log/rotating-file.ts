import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface RotatingFile {
  /** One line, with its end. It is in the file when this returns. */
  write(line: string): void;
}

interface RotatingOptions {
  readonly mostBytes?: number;
  readonly files?: number;
  /** Given the lines that cannot be written to the file, as on a full disk. */
  readonly instead?: (line: string) => void;
}

const noticeLost = (line: string): void => void process.stderr.write(line);

const MOST_BYTES = 10 * 1024 * 1024;
/** `hermes.log`, `hermes.log.1` and so on. */
export const KEPT_FILES = 3;
/** Whoever began to rotate this long ago is gone. */
const STALE_MS = 10_000;

/**
 * Lines into a file that begins anew when it is full; older files are kept, and the oldest goes. Several processes may
 * write into it: each line is appended whole, and one of them rotates.
 */
export function rotatingFile(
  path: string,
  { mostBytes = MOST_BYTES, files = KEPT_FILES, instead = noticeLost }: RotatingOptions = {},
): RotatingFile {
  let torn = false;
  let ready = false;
  /** What holds the folder is made only where it never was: a home that was moved away must not come back as an empty one. */
  let made = statSync(dirname(dirname(path)), { throwIfNoEntry: false }) !== undefined;
  const makeFolder = (): void => {
    const folder = dirname(path);
    if (!made) mkdirSync(folder, { recursive: true, mode: 0o700 });
    else if (!statSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { mode: 0o700 });
    made = true;
  };
  const isFull = (more: number): boolean => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return size > 0 && size + more > mostBytes;
  };
  const rotate = (more: number): void =>
    alone(`${path}.rotating`, () => {
      // Another process may have been quicker.
      if (!isFull(more)) return;
      rmSync(`${path}.${files - 1}`, { force: true });
      for (let number = files - 1; number > 0; number--) {
        const from = number === 1 ? path : `${path}.${number - 1}`;
        if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${path}.${number}`);
      }
    });
  return {
    write(line) {
      try {
        if (!ready) makeFolder();
        ready = true;
        const bytes = Buffer.byteLength(line);
        if (isFull(bytes)) rotate(bytes);
        // At once, not when there is time: the last lines before an end are those that matter.
        appendFileSync(path, torn ? `\n${line}` : line, { mode: 0o600 });
        torn = false;
      } catch {
        // A log that cannot be written must not end what it tells of. Half a line may stand there now, or no folder.
        torn = true;
        ready = false;
        instead(line);
      }
    },
  };
}

/** Does the work unless another process is at it: then there is nothing to do. */
function alone(lock: string, work: () => void): void {
  const taken = statSync(lock, { throwIfNoEntry: false });
  if (taken && Date.now() - taken.mtimeMs < STALE_MS) return;
  if (taken) rmSync(lock, { force: true });
  let handle: number;
  try {
    handle = openSync(lock, 'wx', 0o600);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw thrown;
  }
  try {
    work();
  } finally {
    closeSync(handle);
    rmSync(lock, { force: true });
  }
}
