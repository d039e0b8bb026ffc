import { redact } from '#kit/redact';
import type { Database } from './open-file.ts';
import type { LogRecord, MetricPoint, Rejected, SpanData, TelemetryBatch } from '#spec/ports';
import { type KnownSeries, seriesBook } from './series-book.ts';

export interface BatchLimits {
  readonly maxAgeMs: number;
  readonly maxSeries: number;
  readonly now: () => number;
}

export interface BatchWriter {
  /** One transaction. Tells what was not taken. */
  write(batch: TelemetryBatch): Rejected;
  forget(): void;
}

/** Clocks are not all the same. */
const AHEAD_MS = 10 * 60_000;
const LONGEST_MESSAGE = 8_000;
const LONGEST_ATTRIBUTES = 8_000;

const BAD_WORDS =
  /error|exception|fail|fatal|panic|timed?[ -]?out|refused|denied|unavailable|exhausted|reject|abort|crash|oom|killed|unable|cannot|could not/i;

export function batchWriter(db: Database, limits: BatchLimits): BatchWriter {
  const book = seriesBook(db, limits.maxSeries);
  const writePoint = pointWriter(db);
  const writeLog = logWriter(db);
  const writeSpans = spanWriter(db);

  const timeProblem = (timeMs: number): string | undefined => {
    const now = limits.now();
    if (!(timeMs > now - limits.maxAgeMs)) return 'older than what is kept';
    return timeMs > now + AHEAD_MS ? 'of a time that has not come yet' : undefined;
  };

  const write = db.transaction(
    ({ points = [], logs = [], spans = [] }: TelemetryBatch): Map<string, number> => {
      const problems = new Map<string, number>();
      const refused = (why: string | undefined): boolean => {
        if (why !== undefined) problems.set(why, (problems.get(why) ?? 0) + 1);
        return why !== undefined;
      };
      for (const point of points) {
        if (refused(timeProblem(point.timeMs))) continue;
        const series = book.find(point);
        if (!series) refused(`beyond ${limits.maxSeries} series`);
        else refused(writePoint(point, series));
      }
      for (const log of logs) if (!refused(timeProblem(log.timeMs))) writeLog(log);
      writeSpans(spans.filter(({ startMs }) => !refused(timeProblem(startMs))));
      return problems;
    },
  );

  return {
    write: (batch) => {
      const problems = write.immediate(batch);
      book.seen(batch.points ?? []);
      const count = [...problems.values()].reduce((sum, one) => sum + one, 0);
      const why = [...problems].map(([problem, times]) => `${times} ${problem}`).join(', ');
      return count ? { count, why } : { count };
    },
    forget: () => book.forget(),
  };
}

/** Gives why a point cannot be taken, if so. Differences are added up to totals. */
function pointWriter(db: Database): (point: MetricPoint, series: KnownSeries) => string | undefined {
  const insert = db.prepare(
    'INSERT OR REPLACE INTO points (series, time, start, value, sum, buckets) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const last = db.prepare<
    [number],
    { time: number; value: number; sum: number | null; buckets: string | null }
  >('SELECT time, value, sum, buckets FROM points WHERE series = ? ORDER BY time DESC LIMIT 1');
  const totalOf = (id: number): NonNullable<KnownSeries['total']> => {
    const row = last.get(id);
    if (!row) return { time: 0, value: 0, sum: 0, buckets: [] };
    return {
      time: row.time,
      value: row.value,
      sum: row.sum ?? 0,
      buckets: row.buckets ? (JSON.parse(row.buckets) as number[]) : [],
    };
  };
  return (point, series) => {
    const time = Math.round(point.timeMs);
    const start = Math.round(point.startMs);
    const { value, sum, buckets } = point;
    if (point.kind === 'gauge' || point.temporality === 'cumulative') {
      insert.run(series.id, time, start, value, sum ?? null, buckets ? JSON.stringify(buckets) : null);
      return undefined;
    }
    const total = (series.total ??= totalOf(series.id));
    if (time <= total.time) return 'a difference that was counted already, or out of order';
    total.time = time;
    total.value += value;
    total.sum += sum ?? 0;
    if (buckets) total.buckets = buckets.map((count, at) => count + (total.buckets[at] ?? 0));
    insert.run(
      series.id,
      time,
      start,
      total.value,
      sum === undefined ? null : total.sum,
      buckets ? JSON.stringify(total.buckets) : null,
    );
    return undefined;
  };
}

function logWriter(db: Database): (log: LogRecord) => void {
  const insert = db.prepare(
    'INSERT INTO logs (time, service, pod, severity, level, message, trace, span, bad, attributes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  return ({ timeMs, service, pod, severity, level, message, traceId, spanId, attributes }) => {
    const text = redact(message.slice(0, LONGEST_MESSAGE));
    const isBad = severity >= 13 || (severity === 0 && BAD_WORDS.test(text));
    insert.run(
      timeMs,
      service,
      pod ?? null,
      severity,
      level ?? null,
      text,
      traceId ?? null,
      spanId ?? null,
      isBad ? 1 : 0,
      packed(attributes),
    );
  };
}

function spanWriter(db: Database): (spans: readonly SpanData[]) => void {
  const insert = db.prepare(
    'INSERT OR REPLACE INTO spans (trace, span, parent, service, operation, start, duration, error, status, peer, attributes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const known = db.prepare<[string], { start: number; error: number; services: string }>(
    'SELECT start, error, services FROM traces WHERE trace = ?',
  );
  const upsert = db.prepare(
    'INSERT OR REPLACE INTO traces (trace, start, error, services) VALUES (?, ?, ?, ?)',
  );
  return (spans) => {
    const touched = new Map<string, { start: number; error: number; services: Set<string> }>();
    for (const span of spans) {
      const { traceId, spanId, parentId, service, operation, startMs, durationMs, error, status, peer } =
        span;
      insert.run(
        traceId,
        spanId,
        parentId ?? null,
        service,
        operation,
        startMs,
        durationMs,
        error ? 1 : 0,
        status === undefined ? null : JSON.stringify(status),
        peer ?? null,
        packed(span.attributes),
      );
      const trace = touched.get(traceId) ?? { start: Infinity, error: 0, services: new Set<string>() };
      touched.set(traceId, trace);
      trace.start = Math.min(trace.start, startMs);
      if (error) trace.error = 1;
      trace.services.add(service);
    }
    for (const [id, trace] of touched) {
      const before = known.get(id);
      for (const service of before?.services.split('\n') ?? []) if (service) trace.services.add(service);
      const services = `\n${[...trace.services].join('\n')}\n`;
      upsert.run(
        id,
        Math.min(trace.start, before?.start ?? Infinity),
        trace.error || (before?.error ?? 0),
        services,
      );
    }
  };
}

/** Attributes as they are kept: without credentials, and nothing where there would be too much. */
function packed(attributes: Readonly<Record<string, unknown>>): string | null {
  const keys = Object.keys(attributes);
  if (!keys.length) return null;
  const text = redact(JSON.stringify(attributes));
  return text.length <= LONGEST_ATTRIBUTES ? text : null;
}
