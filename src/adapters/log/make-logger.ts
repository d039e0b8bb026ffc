import { toErrorRecord } from '#kit/app-error';
import { LOG_LEVELS, type LogAbout, type LogLevel, type LogRecord } from '#spec/data';
import type { Logger } from '#spec/ports';

export interface LineTaker {
  /** Lines below it are not made. */
  readonly least: LogLevel;
  readonly now: () => number;
  take(line: LogRecord): void;
}

/** A logger that gives its lines to somebody. */
export function makeLogger(taker: LineTaker, about: LogAbout = {}): Logger {
  const { least, now, take } = taker;
  const teller = (level: LogLevel): Logger['info'] => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return () => undefined;
    return (event, fields) => {
      const { thrown, ...rest } = fields as typeof fields & { readonly thrown?: unknown };
      const at = new Date(now()).toISOString();
      const failure = thrown === undefined ? {} : failureOf(thrown);
      take({ at, level, event, ...about, ...rest, ...failure, pid: process.pid });
    };
  };
  return {
    debug: teller('debug'),
    info: teller('info'),
    warn: teller('warn'),
    error: teller('error'),
    child: (more) => makeLogger(taker, { ...about, ...more }),
  };
}

/** A failure on purpose is told with its code; a mistake of ours with its place. */
function failureOf(thrown: unknown): Pick<LogRecord, 'code' | 'error'> {
  const { code, message } = toErrorRecord(thrown);
  const place = code === 'internal' && thrown instanceof Error ? thrown.stack : undefined;
  return { code, error: place ?? message };
}
