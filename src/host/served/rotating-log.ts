import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface RotatingLog {
  /** One record, one line of JSON. */
  write(record: object): void;
}

interface RotatingOptions {
  /** What every line passes. */
  readonly clean?: (text: string) => string;
  readonly mostBytes?: number;
  readonly files?: number;
  /** Given the lines that cannot be written to the file, as on a full disk. */
  readonly instead?: (line: string) => void;
}

const noticeLost = (line: string): void => void process.stderr.write(line);

const MOST_BYTES = 10 * 1024 * 1024;
/** `server.log`, `server.log.1` and so on. */
const FILES = 3;

/** Lines of JSON into a file that begins anew when it is full; older files are kept, and the oldest goes. */
export function openRotatingLog(
  path: string,
  {
    clean = (text) => text,
    mostBytes = MOST_BYTES,
    files = FILES,
    instead = noticeLost,
  }: RotatingOptions = {},
): RotatingLog {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let torn = false;
  const rotate = (): void => {
    rmSync(`${path}.${files - 1}`, { force: true });
    for (let number = files - 1; number > 0; number--) {
      const from = number === 1 ? path : `${path}.${number - 1}`;
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${path}.${number}`);
    }
    size = 0;
  };
  return {
    write(record) {
      const line = `${clean(JSON.stringify(record))}\n`;
      const bytes = Buffer.byteLength(line);
      try {
        if (size > 0 && size + bytes > mostBytes) rotate();
        // At once, not when there is time: the last lines before an end are those that matter.
        appendFileSync(path, torn ? `\n${line}` : line, { mode: 0o600 });
        size += bytes;
        torn = false;
      } catch {
        // A log that cannot be written must not end what it tells of. Half a line may stand there now.
        torn = true;
        instead(line);
      }
    },
  };
}
