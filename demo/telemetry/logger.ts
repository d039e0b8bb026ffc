import type { Attributes, Span } from './tracer.ts';

export type LogLevel = 'info' | 'warn' | 'error' | 'fatal';

export interface LogRecord {
  readonly timeMs: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly attributes: Attributes;
}

export interface Logger {
  log(level: LogLevel, message: string, span?: Span, attributes?: Attributes): void;
}

/**
 * Every line goes to `write`, and those that matter to `send`: the chatter of requests that are not traced stays here.
 */
export const createLogger = (
  write: (record: LogRecord) => void,
  send: (record: LogRecord) => void,
): Logger => ({
  log: (level, message, span, attributes = {}) => {
    const record: LogRecord = {
      timeMs: Date.now(),
      level,
      message,
      ...(span ? { traceId: span.traceId, spanId: span.spanId } : {}),
      attributes,
    };
    write(record);
    if (level !== 'info' || span?.sampled !== false) send(record);
  },
});
