import { join } from 'node:path';
import { redact } from '#kit/redact';
import type { LogLevel, LogRecord } from '#spec/data';
import type { Logger } from '#spec/ports';
import { makeLogger } from './make-logger.ts';
import { rotatingFile } from './rotating-file.ts';

/** What happens, and, in a file of their own so that a flood of them drives nothing else out, the requests. */
export const LOG_FILES = ['hermes.log', 'server.log'] as const;

export interface LogOptions {
  /** It is made with the first line. */
  readonly folder: string;
  readonly least: LogLevel;
  /** What every line passes. Asked for with the first line; lines wait for it. */
  readonly cleaner: () => Promise<(line: string) => string>;
  readonly now?: () => number;
}

export interface OpenLog extends Logger {
  /** From then on a line is in its file when its call returns, also when the process ends right after it. */
  ready(): Promise<void>;
  /** Resolves when every line that was told is in its file. Nothing was told: nothing is opened. */
  written(): Promise<void>;
}

/** A log of JSON lines. Nothing is opened or made before the first line. */
export function openLog({ folder, least, cleaner, now = Date.now }: LogOptions): OpenLog {
  const [events, requests] = LOG_FILES.map((name) => rotatingFile(join(folder, name)));
  const waiting: LogRecord[] = [];
  let clean: ((line: string) => string) | undefined;
  let opening: Promise<void> | undefined;
  const put = (line: LogRecord, through: (line: string) => string): void =>
    (line.event.startsWith('request.') ? requests : events)?.write(`${through(JSON.stringify(line))}\n`);
  const open = async (): Promise<void> => {
    let unread: unknown;
    clean = await cleaner().catch((thrown: unknown) => {
      unread = thrown;
      // Secrets that cannot be read cannot be known; what looks like one is hidden all the same.
      return redact;
    });
    for (const line of waiting.splice(0)) put(line, clean);
    if (unread !== undefined) logger.error('part.failed', { part: 'redactor', thrown: unread });
  };
  const take = (line: LogRecord): void => {
    if (clean) return put(line, clean);
    waiting.push(line);
    void ready();
  };
  const ready = (): Promise<void> => (opening ??= open());
  const logger = makeLogger({ least, now, take });
  return { ...logger, ready, written: () => opening ?? Promise.resolve() };
}
