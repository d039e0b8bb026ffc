import { z } from 'zod';
import type { SpanRecord } from '#spec/data';
import { boundedAttributes, isServerError, statusOf } from './span-attributes.ts';

const Value = z.looseObject({
  stringValue: z.string().optional(),
  intValue: z.union([z.string(), z.number()]).optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
});
const KeyValues = z.array(z.object({ key: z.string(), value: Value.nullish() })).nullish();
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().nullish(),
  name: z.string().default(''),
  startTimeUnixNano: z.union([z.string(), z.number()]),
  endTimeUnixNano: z.union([z.string(), z.number()]),
  attributes: KeyValues,
  status: z.object({ code: z.union([z.string(), z.number()]).optional() }).nullish(),
});
const Scope = z.object({ spans: z.array(Span).nullish() });
const Batch = z.object({
  resource: z.object({ attributes: KeyValues }).nullish(),
  scopeSpans: z.array(Scope).nullish(),
  /** As it was called before. */
  instrumentationLibrarySpans: z.array(Scope).nullish(),
});
const Batches = z.array(Batch);
/** `batches` is how Tempo writes it, `resourceSpans` how OpenTelemetry does, `trace` around it is the second API. */
const Bare = z.union([z.object({ batches: Batches }), z.object({ resourceSpans: Batches })]);
const Trace = z.union([Bare, z.object({ trace: Bare })]);

/** The spans of one trace in OTLP JSON; absent where it is something else. */
export function otlpSpans(value: unknown): SpanRecord[] | undefined {
  const trace = Trace.safeParse(value);
  if (!trace.success) return undefined;
  const bare = 'trace' in trace.data ? trace.data.trace : trace.data;
  const batches = 'batches' in bare ? bare.batches : bare.resourceSpans;
  return batches.flatMap(({ resource, scopeSpans, instrumentationLibrarySpans }) => {
    const owner = attributesOf(resource?.attributes);
    const name = owner['service.name'];
    const service = typeof name === 'string' && name ? name : 'unknown';
    const version = owner['service.version'];
    return (scopeSpans ?? instrumentationLibrarySpans ?? [])
      .flatMap(({ spans }) => spans ?? [])
      .map((span) => spanOf(span, service, version === undefined ? {} : { 'service.version': version }));
  });
}

function spanOf(
  span: z.infer<typeof Span>,
  service: string,
  more: Readonly<Record<string, unknown>>,
): SpanRecord {
  const own = attributesOf(span.attributes);
  const attributes = boundedAttributes({ ...own, ...more });
  const status = statusOf(own);
  const [start, end] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
  const parentId = idOf(span.parentSpanId ?? '', 8);
  return {
    traceId: idOf(span.traceId, 16),
    spanId: idOf(span.spanId, 8),
    parentId: /[^0]/.test(parentId) ? parentId : null,
    service,
    operation: span.name,
    start: Number(start / 1_000n) / 1e6,
    durationMs: Number(end > start ? end - start : 0n) / 1e6,
    error: isErrorCode(span.status?.code) || isServerError(status),
    ...(status === undefined ? {} : { status }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

const isErrorCode = (code: string | number | undefined): boolean =>
  code === 2 || code === 'STATUS_CODE_ERROR';

/** Ids come as hexadecimal, with their zeros in front or without, or as base64 of their bytes. */
export function idOf(text: string, bytes: number): string {
  if (text === '') return '';
  const isBase64 = text.length === Math.ceil(bytes / 3) * 4 && !/^[0-9a-f]+$/i.test(text);
  return isBase64 ? Buffer.from(text, 'base64').toString('hex') : text.toLowerCase().padStart(bytes * 2, '0');
}

const attributesOf = (pairs: z.infer<typeof KeyValues>): Record<string, unknown> =>
  Object.fromEntries((pairs ?? []).map(({ key, value }) => [key, plain(value ?? {})]));

function plain({ stringValue, intValue, doubleValue, boolValue }: z.infer<typeof Value>): unknown {
  if (intValue !== undefined) return Number(intValue);
  return stringValue ?? doubleValue ?? boolValue;
}
