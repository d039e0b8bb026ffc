/**
 * The messages of OTLP as far as they are read: the number of each field on the wire, its name in JSON and its kind. A
 * list is a repeated field. What is not named is passed over.
 */
export type Kind =
  | 'text'
  | 'hex'
  | 'base64'
  | 'bool'
  | 'int'
  | 'fixed64'
  | 'sfixed64'
  | 'double'
  | (() => Shape);
export interface Shape {
  readonly [number: number]: readonly [name: string, kind: Kind, many?: 'many'];
}

const AnyValue: Shape = {
  1: ['stringValue', 'text'],
  2: ['boolValue', 'bool'],
  3: ['intValue', 'int'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', () => ({ 1: ['values', () => AnyValue, 'many'] })],
  6: ['kvlistValue', () => ({ 1: ['values', () => KeyValue, 'many'] })],
  7: ['bytesValue', 'base64'],
};
const KeyValue: Shape = { 1: ['key', 'text'], 2: ['value', () => AnyValue] };
const Resource: Shape = { 1: ['attributes', () => KeyValue, 'many'] };

const NumberDataPoint: Shape = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['asDouble', 'double'],
  6: ['asInt', 'sfixed64'],
  7: ['attributes', () => KeyValue, 'many'],
  8: ['flags', 'int'],
};
const HistogramDataPoint: Shape = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['count', 'fixed64'],
  5: ['sum', 'double'],
  6: ['bucketCounts', 'fixed64', 'many'],
  7: ['explicitBounds', 'double', 'many'],
  9: ['attributes', () => KeyValue, 'many'],
  10: ['flags', 'int'],
};
/** Of what is not taken, only how many there are. */
const Counted: Shape = { 1: ['dataPoints', () => ({}), 'many'] };
const Metric: Shape = {
  1: ['name', 'text'],
  3: ['unit', 'text'],
  5: ['gauge', () => ({ 1: ['dataPoints', () => NumberDataPoint, 'many'] })],
  7: [
    'sum',
    () => ({
      1: ['dataPoints', () => NumberDataPoint, 'many'],
      2: ['aggregationTemporality', 'int'],
      3: ['isMonotonic', 'bool'],
    }),
  ],
  9: [
    'histogram',
    () => ({ 1: ['dataPoints', () => HistogramDataPoint, 'many'], 2: ['aggregationTemporality', 'int'] }),
  ],
  10: ['exponentialHistogram', () => Counted],
  11: ['summary', () => Counted],
};

const LogRecord: Shape = {
  1: ['timeUnixNano', 'fixed64'],
  2: ['severityNumber', 'int'],
  3: ['severityText', 'text'],
  5: ['body', () => AnyValue],
  6: ['attributes', () => KeyValue, 'many'],
  9: ['traceId', 'hex'],
  10: ['spanId', 'hex'],
  11: ['observedTimeUnixNano', 'fixed64'],
};

const SpanEvent: Shape = {
  1: ['timeUnixNano', 'fixed64'],
  2: ['name', 'text'],
  3: ['attributes', () => KeyValue, 'many'],
};
const Span: Shape = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'text'],
  6: ['kind', 'int'],
  7: ['startTimeUnixNano', 'fixed64'],
  8: ['endTimeUnixNano', 'fixed64'],
  9: ['attributes', () => KeyValue, 'many'],
  11: ['events', () => SpanEvent, 'many'],
  15: ['status', () => ({ 2: ['message', 'text'], 3: ['code', 'int'] })],
};

/** A request: resources, in them scopes, in them the records. */
const request = (resources: string, scopes: string, records: string, record: () => Shape): Shape => ({
  1: [
    resources,
    () => ({
      1: ['resource', () => Resource],
      2: [scopes, () => ({ 2: [records, record, 'many'] }), 'many'],
    }),
    'many',
  ],
});

export const METRICS_REQUEST = request('resourceMetrics', 'scopeMetrics', 'metrics', () => Metric);
export const LOGS_REQUEST = request('resourceLogs', 'scopeLogs', 'logRecords', () => LogRecord);
export const TRACES_REQUEST = request('resourceSpans', 'scopeSpans', 'spans', () => Span);
