import { z } from 'zod';
import type { SpanRecord, TimeWindow, Topology } from '#spec/data';
import type { Connection, QueryParameters } from '../wire/open-connection.ts';
import { type Question, readerOf } from '../wire/reader-of.ts';
import { windowMs } from '../wire/time-window.ts';
import { boundedAttributes, isServerError, statusOf } from './span-attributes.ts';

export interface JaegerApi {
  services(signal: AbortSignal): Promise<string[]>;
  /** The newest traces that a service takes part in. */
  traces(
    service: string,
    window: TimeWindow,
    options: { readonly limit: number; readonly errorsOnly: boolean },
    signal: AbortSignal,
  ): Promise<SpanRecord[][]>;
  dependencies(window: TimeWindow, signal: AbortSignal): Promise<Topology['edges']>;
}

const Tag = z.object({ key: z.string(), value: z.unknown() });
const Tags = z.array(Tag).nullish();
const Span = z.object({
  traceID: z.string(),
  spanID: z.string(),
  operationName: z.string().default(''),
  references: z.array(z.object({ refType: z.string(), traceID: z.string(), spanID: z.string() })).nullish(),
  parentSpanID: z.string().nullish(),
  startTime: z.number(),
  duration: z.number(),
  tags: Tags,
  processID: z.string().nullish(),
});
const Trace = z.object({
  spans: z.array(Span),
  processes: z.record(z.string(), z.object({ serviceName: z.string(), tags: Tags })).nullish(),
});
type Trace = z.infer<typeof Trace>;
const Link = z.object({ parent: z.string(), child: z.string() });

export function jaegerApi(connection: Connection): JaegerApi {
  const ask = readerOf(connection);
  const read = async <T>(item: z.ZodType<T>, ...question: Question): Promise<T[]> =>
    (await ask(z.object({ data: z.array(item).nullable() }), ...question)).data ?? [];
  return {
    services: (signal) => read(z.string(), '/api/services', {}, signal),
    async traces(service, window, options, signal) {
      const parameters = traceParameters(service, window, options);
      return (await read(Trace, '/api/traces', parameters, signal)).map(spansOf);
    },
    async dependencies(window, signal) {
      const { from, to } = windowMs(window);
      const parameters = { endTs: to, lookback: Math.max(1, to - from) };
      const links = await read(Link, '/api/dependencies', parameters, signal);
      return links.map(({ parent, child }) => ({ from: parent, to: child }));
    },
  };
}

/** The same for the API and for the page of people. Times are microseconds. */
export function traceParameters(
  service: string,
  window: TimeWindow,
  { limit, errorsOnly }: { readonly limit: number; readonly errorsOnly: boolean },
): QueryParameters {
  const { from, to } = windowMs(window);
  return {
    service,
    start: from * 1_000,
    end: to * 1_000 + 999,
    limit,
    tags: errorsOnly ? '{"error":"true"}' : undefined,
  };
}

function spansOf({ spans, processes }: Trace): SpanRecord[] {
  return spans.map((span) => {
    const process = processes?.[span.processID ?? ''];
    const own = attributesOf(span.tags);
    const attributes = boundedAttributes({ ...own, ...versionOf(attributesOf(process?.tags)) });
    const parent =
      span.references?.find(({ refType, traceID }) => refType === 'CHILD_OF' && traceID === span.traceID) ??
      span.references?.find(({ traceID }) => traceID === span.traceID);
    const parentId = parent?.spanID ?? (span.parentSpanID || undefined);
    const status = statusOf(own);
    return {
      traceId: span.traceID,
      spanId: span.spanID,
      parentId: parentId ?? null,
      service: process?.serviceName ?? 'unknown',
      operation: span.operationName,
      start: span.startTime / 1e6,
      durationMs: span.duration / 1_000,
      error: isError(own) || isServerError(status),
      ...(status === undefined ? {} : { status }),
      ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
    };
  });
}

const attributesOf = (tags: z.infer<typeof Tags>): Record<string, unknown> =>
  Object.fromEntries((tags ?? []).map(({ key, value }) => [key, value]));

function versionOf(process: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const version = process['service.version'] ?? process['version'];
  return version === undefined ? {} : { 'service.version': version };
}

const isError = (tags: Readonly<Record<string, unknown>>): boolean =>
  tags['error'] === true || tags['error'] === 'true' || tags['otel.status_code'] === 'ERROR';
