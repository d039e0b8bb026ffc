import type { LogRecord, MetricPoint, SpanData } from '#spec/ports';
import { plainAttributes, plainValue, type Sender, senderOf, textAttributes } from './attributes.ts';
import {
  type HistogramPoint,
  LogsRequest,
  type Metric,
  MetricsRequest,
  type NumberPoint,
  TracesRequest,
  type WireLog,
  type WireSpan,
} from './wire.ts';

/** The records of a request, and how many of it cannot be taken. */
export interface Read<T> {
  readonly records: readonly T[];
  readonly dropped: number;
  readonly why: readonly string[];
}

const NO_VALUE = 1;

/** Throws a ZodError when the request is of another shape. */
export function readMetrics(request: unknown): Read<MetricPoint> {
  const records: MetricPoint[] = [];
  const why = new Set<string>();
  let dropped = 0;
  for (const resource of MetricsRequest.parse(request)) {
    const sender = senderOf(resource.attributes);
    for (const metric of resource.records) {
      records.push(...pointsOf(metric, sender));
      const left = unread(metric);
      dropped += left.count;
      if (left.why) why.add(left.why);
    }
  }
  return { records, dropped, why: [...why] };
}

function unread({ exponentialHistogram, summary, histogram, name }: Metric): { count: number; why?: string } {
  if (exponentialHistogram)
    return {
      count: exponentialHistogram.dataPoints.length,
      why: 'exponential histograms are not taken: send explicit buckets',
    };
  if (summary) return { count: summary.dataPoints.length, why: 'summaries are not taken: send histograms' };
  const odd = histogram?.dataPoints.filter((point) => !isSound(point)).length ?? 0;
  return odd ? { count: odd, why: `${name}: as many buckets as bounds, and one, are needed` } : { count: 0 };
}

const isSound = ({ bucketCounts, explicitBounds }: HistogramPoint): boolean =>
  bucketCounts.length === 0 || bucketCounts.length === explicitBounds.length + 1;

function pointsOf({ name, unit, gauge, sum, histogram }: Metric, sender: Sender): MetricPoint[] {
  const { service, version, instance, placed } = sender;
  const common = (point: NumberPoint | HistogramPoint) => ({
    service,
    version,
    instance,
    name,
    unit,
    attributes: { ...placed, ...textAttributes(point.attributes) },
    startMs: point.startTimeUnixNano,
    timeMs: point.timeUnixNano,
  });
  const numbers = (
    points: readonly NumberPoint[],
    kind: Pick<MetricPoint, 'kind' | 'temporality' | 'monotonic'>,
  ) =>
    points.flatMap((point): MetricPoint[] => {
      const value = point.asDouble ?? point.asInt;
      const isThere = value !== undefined && Number.isFinite(value) && !(point.flags & NO_VALUE);
      return isThere ? [{ ...common(point), ...kind, value }] : [];
    });
  const histograms = (histogram?.dataPoints ?? []).filter(
    (point) => isSound(point) && !(point.flags & NO_VALUE),
  );
  return [
    ...numbers(gauge?.dataPoints ?? [], { kind: 'gauge', temporality: 'cumulative', monotonic: false }),
    ...numbers(sum?.dataPoints ?? [], {
      kind: 'sum',
      temporality: temporalityOf(sum?.aggregationTemporality),
      monotonic: sum?.isMonotonic ?? false,
    }),
    ...histograms.map(
      (point): MetricPoint => ({
        ...common(point),
        kind: 'histogram',
        temporality: temporalityOf(histogram?.aggregationTemporality),
        monotonic: true,
        value: point.count,
        sum: Number.isFinite(point.sum) ? point.sum : undefined,
        bounds: point.bucketCounts.length ? point.explicitBounds : [],
        buckets: point.bucketCounts.length ? point.bucketCounts : [point.count],
      }),
    ),
  ];
}

const temporalityOf = (code = 0): MetricPoint['temporality'] => (code === 1 ? 'delta' : 'cumulative');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** 1–4 is trace, 5–8 debug, and so on. A text alone is understood as well. */
function severityOf({ severityNumber, severityText }: WireLog): {
  severity: number;
  level: string | undefined;
} {
  const named = LEVELS.findIndex((level) => severityText.toLowerCase().startsWith(level));
  const severity =
    severityNumber || (named >= 0 ? named * 4 + 1 : /^crit|^emerg|^alert/i.test(severityText) ? 21 : 0);
  const level = severityText.toLowerCase() || LEVELS[Math.floor((severity - 1) / 4)];
  return { severity, level: level || undefined };
}

export function readLogs(request: unknown, now: number): Read<LogRecord> {
  const records = LogsRequest.parse(request).flatMap((resource) => {
    const sender = senderOf(resource.attributes);
    return resource.records.map((log): LogRecord => {
      const attributes = plainAttributes(log.attributes);
      return {
        timeMs: log.timeUnixNano || log.observedTimeUnixNano || now,
        service: sender.service,
        pod: sender.pod,
        ...severityOf(log),
        message: messageOf(log, attributes),
        traceId: idOf(log.traceId),
        spanId: idOf(log.spanId),
        attributes: { ...sender.placed, ...attributes, ...versionOf(sender, attributes) },
      };
    });
  });
  return { records, dropped: 0, why: [] };
}

const versionOf = (
  { version }: Sender,
  attributes: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  version === undefined || 'service.version' in attributes ? {} : { 'service.version': version };

/** The text of a log record, with the exception that it names. */
function messageOf({ body }: WireLog, attributes: Readonly<Record<string, unknown>>): string {
  const plain = plainValue(body);
  const inside = typeof plain === 'object' && plain !== null ? (plain as Record<string, unknown>) : undefined;
  const said = inside?.['message'] ?? inside?.['msg'] ?? plain ?? '';
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  const [type, message] = [attributes['exception.type'], attributes['exception.message']];
  const exception = [type, message]
    .filter((part) => typeof part === 'string' && !text.includes(part))
    .join(': ');
  return [text, exception].filter(Boolean).join(' | ');
}

/** All zeros is none. */
const idOf = (id: string): string | undefined => (/^0*$/.test(id) ? undefined : id.toLowerCase());

const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

export function readTraces(request: unknown): Read<SpanData> {
  let dropped = 0;
  const records = TracesRequest.parse(request).flatMap((resource) => {
    const sender = senderOf(resource.attributes);
    return resource.records.flatMap((span): SpanData[] => {
      const [traceId, spanId] = [idOf(span.traceId), idOf(span.spanId)];
      if (traceId && spanId) return [spanOf(span, traceId, spanId, sender)];
      dropped += 1;
      return [];
    });
  });
  return { records, dropped, why: dropped ? ['spans need a traceId and a spanId'] : [] };
}

function spanOf(span: WireSpan, traceId: string, spanId: string, sender: Sender): SpanData {
  const attributes = plainAttributes(span.attributes);
  const kind = KINDS[span.kind];
  const exception = span.events.find(({ name }) => name === 'exception');
  const status =
    attributes['http.response.status_code'] ??
    attributes['http.status_code'] ??
    attributes['rpc.grpc.status_code'];
  const code = typeof status === 'string' || typeof status === 'number' ? status : undefined;
  const isFailedAnswer = span.status.code === 0 && kind === 'server' && Number(code) >= 500;
  const peer = kind === 'client' || kind === 'producer' ? attributes['peer.service'] : undefined;
  return {
    traceId,
    spanId,
    parentId: idOf(span.parentSpanId),
    service: sender.service,
    operation: span.name,
    startMs: span.startTimeUnixNano,
    durationMs: Math.max(0, Math.round((span.endTimeUnixNano - span.startTimeUnixNano) * 1_000) / 1_000),
    error: span.status.code === 2 || isFailedAnswer,
    status: code,
    peer: typeof peer === 'string' ? peer : undefined,
    attributes: {
      ...sender.placed,
      ...attributes,
      ...versionOf(sender, attributes),
      ...(kind ? { 'span.kind': kind } : {}),
      ...(span.status.message ? { 'status.message': span.status.message } : {}),
      ...(exception
        ? plainAttributes(exception.attributes.filter(({ key }) => key !== 'exception.stacktrace'))
        : {}),
    },
  };
}
