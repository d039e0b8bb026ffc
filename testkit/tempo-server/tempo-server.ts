import { createServer, type ServerResponse } from 'node:http';
import type { SpanRecord } from '#spec/data';
import { listenHere } from '#testkit/web';
import { parseTraceQl, type SpanTest } from './trace-ql.ts';

export interface TempoServer {
  readonly url: string;
  /** Searches, as they came. */
  readonly searches: readonly URLSearchParams[];
  close(): Promise<void>;
}

export interface TempoOptions {
  /** How ids are written in a trace: as the JSON of protobuf does, or as that of OTLP. */
  readonly ids?: 'base64' | 'hex';
  /** These are found by a search and cannot be read: not written out yet. */
  readonly unreadable?: readonly string[];
}

/** Search by TraceQL and traces by id, in JSON where that is asked for. */
export async function startTempoServer(
  spans: readonly SpanRecord[],
  options: TempoOptions = {},
): Promise<TempoServer> {
  const searches: URLSearchParams[] = [];
  const traces = Map.groupBy(spans, ({ traceId }) => traceId);
  const server = createServer((incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://tempo');
    const id = /^\/api\/traces\/([0-9a-f]{1,32})$/i.exec(pathname)?.[1];
    if (pathname === '/api/search') {
      searches.push(searchParams);
      answerSearch(response, searchParams, [...traces.values()]);
    } else if (id !== undefined) {
      const trace = traces.get(id.toLowerCase().padStart(32, '0'));
      if (!trace || options.unreadable?.includes(id)) response.writeHead(404).end('trace not found');
      else if (incoming.headers.accept !== 'application/json')
        response.writeHead(200, { 'content-type': 'application/protobuf' }).end(Buffer.from([10, 2, 8, 1]));
      else json(response, { batches: batchesOf(trace, options.ids ?? 'base64') });
    } else response.writeHead(404).end('404 page not found');
  });
  const { url, close } = await listenHere(server);
  return { url, close, searches };
}

function answerSearch(
  response: ServerResponse,
  query: URLSearchParams,
  traces: readonly (readonly SpanRecord[])[],
): void {
  let test: SpanTest;
  try {
    test = parseTraceQl(query.get('q') ?? '');
  } catch (error) {
    response.writeHead(400, { 'content-type': 'text/plain' }).end((error as Error).message);
    return;
  }
  const [start, end] = [Number(query.get('start') ?? 0), Number(query.get('end') ?? Number.MAX_VALUE)];
  const found = traces
    .filter((trace) => trace.some((span) => span.start >= start && span.start <= end && test(span)))
    .toSorted((one, other) => (other[0]?.start ?? 0) - (one[0]?.start ?? 0))
    .slice(0, Number(query.get('limit') ?? 20));
  json(response, {
    traces: found.map((trace) => ({
      // Tempo leaves zeros in front out.
      traceID: trace[0]?.traceId.replace(/^0+/, ''),
      rootServiceName: trace[0]?.service,
      rootTraceName: trace[0]?.operation,
      startTimeUnixNano: nanos(trace[0]?.start ?? 0),
      durationMs: Math.round(trace[0]?.durationMs ?? 0),
    })),
    metrics: { inspectedBytes: '1024' },
  });
}

const nanos = (seconds: number): string => String(BigInt(Math.round(seconds * 1e6)) * 1_000n);

function batchesOf(trace: readonly SpanRecord[], ids: 'base64' | 'hex'): unknown[] {
  const idOf = (id: string) => (ids === 'hex' ? id : Buffer.from(id, 'hex').toString('base64'));
  return [...Map.groupBy(trace, ({ service }) => service)].map(([service, spans]) => ({
    resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
    scopeSpans: [
      {
        scope: { name: 'sample' },
        spans: spans.map((span) => ({
          traceId: idOf(span.traceId),
          spanId: idOf(span.spanId),
          ...(span.parentId ? { parentSpanId: idOf(span.parentId) } : {}),
          name: span.operation,
          kind: 'SPAN_KIND_SERVER',
          startTimeUnixNano: nanos(span.start),
          endTimeUnixNano: String(BigInt(nanos(span.start)) + BigInt(Math.round(span.durationMs * 1e6))),
          attributes: [
            ...(span.status === undefined
              ? []
              : [{ key: 'http.response.status_code', value: { intValue: String(span.status) } }]),
            ...Object.entries(span.attributes ?? {}).map(([key, value]) => ({
              key,
              value: { stringValue: String(value) },
            })),
          ],
          status: span.error ? { code: 'STATUS_CODE_ERROR', message: 'failed' } : {},
        })),
      },
    ],
  }));
}

const json = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
