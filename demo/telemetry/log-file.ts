import { createWriteStream, renameSync, statSync, type WriteStream } from 'node:fs';
import type { LogRecord } from './logger.ts';

const MOST_BYTES = 8_000_000;

export interface LogFile {
  write(record: LogRecord): void;
  close(): Promise<void>;
}

/** One JSON object a line. Beyond 8 MB the file becomes `<name>.1` and a new one begins. */
export function openLogFile(path: string, head: Readonly<Record<string, string>>): LogFile {
  let bytes = sizeOf(path);
  let stream = open(path);
  return {
    write: ({ timeMs, level, message, traceId, spanId, attributes }) => {
      const time = new Date(timeMs).toISOString();
      const ids = { ...(traceId ? { trace_id: traceId } : {}), ...(spanId ? { span_id: spanId } : {}) };
      const line = `${JSON.stringify({ time, level, ...head, message, ...ids, ...attributes })}\n`;
      bytes += line.length;
      if (bytes > MOST_BYTES) {
        stream.end();
        renameSync(path, `${path}.1`);
        stream = open(path);
        bytes = line.length;
      }
      stream.write(line);
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}

/** A full disk loses lines of the log and nothing else. */
const open = (path: string): WriteStream =>
  createWriteStream(path, { flags: 'a' }).on('error', (error) =>
    process.stderr.write(`log file: ${error.message}\n`),
  );

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
