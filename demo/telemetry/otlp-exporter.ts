import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Meter } from './instruments.ts';
import type { LogLevel, LogRecord } from './logger.ts';
import { otlpMetrics } from './otlp-metrics.ts';
import { nanoseconds, otlpAttributes } from './otlp-values.ts';
import type { FinishedSpan, SpanKind } from './tracer.ts';

export interface OtlpTarget {
  /** The base: `/v1/traces` and its siblings are added. */
  readonly url: string;
  readonly token?: string;
}

export interface OtlpExporter {
  span(span: FinishedSpan): void;
  log(record: LogRecord): void;
  /** Sends what is left, once. */
  close(): Promise<void>;
}

const EVERY_MS = 1_000;
/** A process that may not live long tells of itself soon. */
const FIRST_MS = 150;
const TIMEOUT_MS = 2_000;
/** What is kept while the receiver is away; the oldest goes first. */
const MOST_WAITING = 1_000;
const MOST_PAUSE_MS = 8_000;
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const LEVELS: Readonly<Record<LogLevel, number>> = { info: 9, warn: 13, error: 17, fatal: 21 };

export interface ExporterOptions {
  readonly target: OtlpTarget;
  readonly resource: () => Readonly<Record<string, string>>;
  readonly meter: Meter;
  readonly startMs: number;
}

/**
 * Pushes every second. A batch that could not be delivered waits for the next push, which comes later each time; beyond a
 * bound the oldest is dropped. Numbers are cumulative: the next push makes up for a lost one.
 */
export function startOtlpExporter({ target, resource, meter, startMs }: ExporterOptions): OtlpExporter {
  let spans: FinishedSpan[] = [];
  let logs: LogRecord[] = [];
  let running: Promise<boolean> | undefined;
  let closed = false;
  const agent = target.url.startsWith('https:') ? undefined : new Agent({ keepAlive: true, maxSockets: 3 });
  const post = (path: string, body: object): Promise<boolean> => send(target, path, body, agent);
  const scope = { name: 'demo' };

  /** Resolves to whether the receiver took everything. */
  const sendAll = async (): Promise<boolean> => {
    const described = { attributes: otlpAttributes(resource()) };
    const [someSpans, someLogs] = [spans, logs];
    spans = [];
    logs = [];
    const scopeOf = (key: string, items: readonly object[]): object[] => [{ scope, [key]: items }];
    const metrics = await otlpMetrics(meter, startMs, Date.now());
    const [, spansSent, logsSent] = await Promise.all([
      post('metrics', {
        resourceMetrics: [{ resource: described, scopeMetrics: scopeOf('metrics', metrics) }],
      }),
      !someSpans.length ||
        post('traces', {
          resourceSpans: [{ resource: described, scopeSpans: scopeOf('spans', someSpans.map(otlpSpan)) }],
        }),
      !someLogs.length ||
        post('logs', {
          resourceLogs: [{ resource: described, scopeLogs: scopeOf('logRecords', someLogs.map(otlpLog)) }],
        }),
    ]);
    if (!spansSent) spans = [...someSpans, ...spans].slice(-MOST_WAITING);
    if (!logsSent) logs = [...someLogs, ...logs].slice(-MOST_WAITING);
    return spansSent && logsSent;
  };
  const flush = async (): Promise<boolean> => {
    await running;
    running = sendAll().finally(() => {
      running = undefined;
    });
    return running;
  };
  let pause = EVERY_MS;
  let timer: NodeJS.Timeout;
  const push = async (): Promise<void> => {
    pause = (await flush()) ? EVERY_MS : Math.min(MOST_PAUSE_MS, pause * 2);
    if (!closed) timer = setTimeout(() => void push(), pause);
  };
  timer = setTimeout(() => void push(), FIRST_MS);
  return {
    span: (span) => {
      spans = [...spans, span].slice(-MOST_WAITING);
    },
    log: (record) => {
      logs = [...logs, record].slice(-MOST_WAITING);
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await flush();
      agent?.destroy();
    },
  };
}

/** Resolves to false where the receiver is away or too busy; what it refuses for good counts as sent. */
function send({ url, token }: OtlpTarget, path: string, body: object, agent?: Agent): Promise<boolean> {
  const payload = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(payload),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const address = new URL(`${url.replace(/\/$/, '')}/v1/${path}`);
  const request = address.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const options = { method: 'POST', headers, timeout: TIMEOUT_MS, ...(agent ? { agent } : {}) };
    const outgoing = request(address, options, (response) => {
      response.resume();
      const { statusCode = 500 } = response;
      resolve(statusCode < 500 && statusCode !== 429);
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => resolve(false));
    outgoing.end(payload);
  });
}

const otlpSpan = (span: FinishedSpan): object => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: otlpAttributes(span.attributes),
  status: span.error === undefined ? {} : { code: 2, message: span.error },
});

const otlpLog = (record: LogRecord): object => ({
  timeUnixNano: nanoseconds(record.timeMs),
  observedTimeUnixNano: nanoseconds(record.timeMs),
  severityNumber: LEVELS[record.level],
  severityText: record.level.toUpperCase(),
  body: { stringValue: record.message },
  attributes: otlpAttributes(record.attributes),
  ...(record.traceId === undefined ? {} : { traceId: record.traceId }),
  ...(record.spanId === undefined ? {} : { spanId: record.spanId }),
});
