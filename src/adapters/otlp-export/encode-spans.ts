import type { FinishedSpan, SpanAttributes, SpanKind } from '#spec/ports';

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const STATUS_ERROR = 2;
const SAMPLED = 1;

/** Whose spans these are. */
export interface SpanSender {
  readonly resource: SpanAttributes;
  readonly scope: { readonly name: string; readonly version: string };
}

/** `ExportTraceServiceRequest` in the JSON that OTLP has for it: ids in hex, 64-bit numbers as text. */
export function encodeSpans(spans: readonly FinishedSpan[], { resource, scope }: SpanSender): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeSpans: [{ scope, spans: spans.map(encode) }],
      },
    ],
  };
}

const encode = (span: FinishedSpan): object => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
  flags: SAMPLED,
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(Math.max(span.startMs, span.endMs)),
  attributes: encodeAttributes({
    ...span.attributes,
    ...(span.error === undefined ? {} : { 'error.type': span.error }),
  }),
  status: span.error === undefined ? {} : { code: STATUS_ERROR },
});

/** A double cannot hold nanoseconds since the epoch. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

function encodeAttributes(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  );
}

function encodeValue(value: NonNullable<SpanAttributes[string]>): object {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      return { arrayValue: { values: value.map(encodeValue) } };
  }
}
