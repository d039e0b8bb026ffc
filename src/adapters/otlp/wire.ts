import { z } from 'zod';

/** 64-bit numbers are texts in JSON, and senders write numbers as well. Doubles may be `"NaN"` or `"Infinity"`. */
const Int = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number),
]);
const Double = z.union([
  z.number(),
  z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number),
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i)
    .transform(Number),
]);
/** Nanoseconds as milliseconds. A double does not hold them exactly: the milliseconds are cut off as text. */
const Nanos = z
  .union([z.number(), z.string().regex(/^\d*$/)])
  .transform((nanos) => {
    const digits = String(nanos).padStart(7, '0');
    return typeof nanos === 'number'
      ? nanos / 1_000_000
      : Number(digits.slice(0, -6)) + Number(digits.slice(-6)) / 1_000_000;
  })
  .default(0);
/** Enumerations are numbers; some senders write the names. */
const Code = (names: Readonly<Record<string, number>>) =>
  z
    .union([z.number(), z.string()])
    .transform((code) => {
      if (typeof code === 'number') return code;
      return (Object.hasOwn(names, code) ? names[code] : undefined) ?? (Number(code) || 0);
    })
    .default(0);

export interface AnyValue {
  stringValue?: string | undefined;
  boolValue?: boolean | undefined;
  intValue?: number | undefined;
  doubleValue?: number | undefined;
  bytesValue?: string | undefined;
  arrayValue?: { values: AnyValue[] } | undefined;
  kvlistValue?: { values: { key: string; value?: AnyValue | undefined }[] } | undefined;
}
/** Read by hand where it is used: nested as deep as the sender likes. */
const Attributes = z.array(z.object({ key: z.string(), value: z.custom<AnyValue>().optional() })).default([]);
export type Attributes = z.infer<typeof Attributes>;

const Resource = z.object({ attributes: Attributes }).default({ attributes: [] });
const request = <T extends z.ZodType>(resources: string, scopes: string, records: string, record: T) =>
  z
    .object({
      [resources]: z
        .array(
          z.object({
            resource: Resource,
            [scopes]: z.array(z.object({ [records]: z.array(record).default([]) })).default([]),
          }),
        )
        .default([]),
    })
    .transform((value) =>
      (value[resources] as { resource: { attributes: Attributes }; [scopes: string]: unknown }[]).map(
        (one) => ({
          attributes: one.resource.attributes,
          records: (one[scopes] as Record<string, z.infer<T>[]>[]).flatMap((scope) => scope[records] ?? []),
        }),
      ),
    );

const point = {
  attributes: Attributes,
  startTimeUnixNano: Nanos,
  timeUnixNano: Nanos,
  flags: Int.default(0),
};
const NumberPoint = z.object({ ...point, asDouble: Double.optional(), asInt: Int.optional() });
const HistogramPoint = z.object({
  ...point,
  count: Int,
  sum: Double.optional(),
  bucketCounts: z.array(Int).default([]),
  explicitBounds: z.array(Double).default([]),
});
export type NumberPoint = z.infer<typeof NumberPoint>;
export type HistogramPoint = z.infer<typeof HistogramPoint>;
const Temporality = Code({ AGGREGATION_TEMPORALITY_DELTA: 1, AGGREGATION_TEMPORALITY_CUMULATIVE: 2 });
const Counted = z.object({ dataPoints: z.array(z.unknown()).default([]) });

const Metric = z.object({
  name: z.string().default(''),
  unit: z.string().default(''),
  gauge: z.object({ dataPoints: z.array(NumberPoint).default([]) }).optional(),
  sum: z
    .object({
      dataPoints: z.array(NumberPoint).default([]),
      aggregationTemporality: Temporality,
      isMonotonic: z.boolean().default(false),
    })
    .optional(),
  histogram: z
    .object({ dataPoints: z.array(HistogramPoint).default([]), aggregationTemporality: Temporality })
    .optional(),
  exponentialHistogram: Counted.optional(),
  summary: Counted.optional(),
});
export type Metric = z.infer<typeof Metric>;

const Id = z.string().default('');
const LogRecord = z.object({
  timeUnixNano: Nanos,
  observedTimeUnixNano: Nanos,
  severityNumber: Code({}),
  severityText: z.string().default(''),
  body: z.custom<AnyValue>().optional(),
  attributes: Attributes,
  traceId: Id,
  spanId: Id,
});
export type WireLog = z.infer<typeof LogRecord>;

const Span = z.object({
  traceId: Id,
  spanId: Id,
  parentSpanId: Id,
  name: z.string().default(''),
  kind: Code({
    SPAN_KIND_INTERNAL: 1,
    SPAN_KIND_SERVER: 2,
    SPAN_KIND_CLIENT: 3,
    SPAN_KIND_PRODUCER: 4,
    SPAN_KIND_CONSUMER: 5,
  }),
  startTimeUnixNano: Nanos,
  endTimeUnixNano: Nanos,
  attributes: Attributes,
  events: z.array(z.object({ name: z.string().default(''), attributes: Attributes })).default([]),
  status: z
    .object({ code: Code({ STATUS_CODE_OK: 1, STATUS_CODE_ERROR: 2 }), message: z.string().default('') })
    .default({ code: 0, message: '' }),
});
export type WireSpan = z.infer<typeof Span>;

export const MetricsRequest = request('resourceMetrics', 'scopeMetrics', 'metrics', Metric);
export const LogsRequest = request('resourceLogs', 'scopeLogs', 'logRecords', LogRecord);
export const TracesRequest = request('resourceSpans', 'scopeSpans', 'spans', Span);
