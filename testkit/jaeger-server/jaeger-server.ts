import { createServer, type ServerResponse } from 'node:http';
import type { SpanRecord } from '#spec/data';
import { listenHere } from '#testkit/web';

export interface JaegerServer {
  readonly url: string;
  /** Searches of traces, as they came. */
  readonly searches: readonly URLSearchParams[];
  close(): Promise<void>;
}

export interface JaegerOptions {
  /** What its dependency job has computed; nothing where it never ran. */
  readonly dependencies?: readonly { readonly parent: string; readonly child: string }[];
}

/** The query API of Jaeger: services, traces and dependencies. */
export async function startJaegerServer(
  spans: readonly SpanRecord[],
  { dependencies = [] }: JaegerOptions = {},
): Promise<JaegerServer> {
  const searches: URLSearchParams[] = [];
  const services = [...new Set(spans.map(({ service }) => service))].toSorted();
  const server = createServer((incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://jaeger');
    if (pathname === '/api/services') list(response, services);
    else if (pathname === '/api/dependencies') answerDependencies(response, searchParams, dependencies);
    else if (pathname === '/api/traces') {
      searches.push(searchParams);
      answerTraces(response, searchParams, spans);
    } else response.writeHead(404, { 'content-type': 'text/html' }).end('<html>not found</html>');
  });
  const { url, close } = await listenHere(server);
  return { url, close, searches };
}

function answerDependencies(
  response: ServerResponse,
  query: URLSearchParams,
  dependencies: NonNullable<JaegerOptions['dependencies']>,
): void {
  if (!query.has('endTs')) return refuse(response, "unable to parse param 'endTs'");
  list(
    response,
    dependencies.map((one) => ({ ...one, callCount: 1 })),
  );
}

function answerTraces(response: ServerResponse, query: URLSearchParams, spans: readonly SpanRecord[]): void {
  const service = query.get('service');
  if (!service) return refuse(response, "parameter 'service' is required");
  const [start, end] = [Number(query.get('start') ?? 0), Number(query.get('end') ?? Number.MAX_VALUE)];
  const tags = JSON.parse(query.get('tags') ?? '{}') as Record<string, string>;
  const found = [...Map.groupBy(spans, ({ traceId }) => traceId).values()]
    .filter((trace) =>
      trace.some(
        (span) =>
          span.service === service &&
          micros(span) >= start &&
          micros(span) <= end &&
          (tags['error'] !== 'true' || span.error === true),
      ),
    )
    .toSorted((one, other) => firstOf(other) - firstOf(one))
    .slice(0, Number(query.get('limit') ?? 20));
  list(response, found.map(traceOf));
}

const micros = ({ start }: SpanRecord): number => Math.round(start * 1e6);
const firstOf = (trace: readonly SpanRecord[]): number => Math.min(...trace.map(micros));

function traceOf(trace: readonly SpanRecord[]): unknown {
  const names = [...new Set(trace.map(({ service }) => service))];
  return {
    traceID: trace[0]?.traceId,
    spans: trace.map((span) => spanOf(span, `p${names.indexOf(span.service) + 1}`)),
    processes: Object.fromEntries(
      names.map((name, at) => [
        `p${at + 1}`,
        { serviceName: name, tags: [{ key: 'service.version', type: 'string', value: 'v1' }] },
      ]),
    ),
    warnings: null,
  };
}

const spanOf = (span: SpanRecord, processID: string): unknown => ({
  traceID: span.traceId,
  spanID: span.spanId,
  operationName: span.operation,
  references: span.parentId ? [{ refType: 'CHILD_OF', traceID: span.traceId, spanID: span.parentId }] : [],
  startTime: micros(span),
  duration: Math.round(span.durationMs * 1_000),
  tags: [
    ...(span.status === undefined ? [] : [{ key: 'http.status_code', type: 'int64', value: span.status }]),
    ...(span.error ? [{ key: 'error', type: 'bool', value: true }] : []),
    ...Object.entries(span.attributes ?? {}).map(([key, value]) => ({ key, type: 'string', value })),
  ],
  logs: [],
  processID,
  warnings: null,
});

const list = (response: ServerResponse, data: readonly unknown[]): void => {
  const body = { data, total: data.length, limit: 0, offset: 0, errors: null };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const refuse = (response: ServerResponse, msg: string): void => {
  const body = { data: null, total: 0, limit: 0, offset: 0, errors: [{ code: 400, msg }] };
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
