import type { IncomingMessage } from 'node:http';
import type { OpenSpan, Route, SpanContext, Tracer } from '#spec/ports';

/**
 * What is asked for all the time and says nothing, and where telemetry comes in: a receiver that traced what it receives
 * would have ever more to send.
 */
const UNTRACED: ReadonlySet<string> = new Set([
  '/api/events',
  '/healthz',
  '/readyz',
  '/readyz/details',
  '/metrics',
  '/v1/metrics',
  '/v1/logs',
  '/v1/traces',
]);
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const SERVER_ERROR = 500;

/** A span for a request to a route, in the trace of its caller where it names one. */
export function beginRequestSpan(
  tracer: Tracer | undefined,
  { path }: Route,
  { method = '', headers }: IncomingMessage,
): OpenSpan | undefined {
  if (!tracer || UNTRACED.has(path)) return undefined;
  const parent = readTraceparent(headers['traceparent']);
  return tracer.begin({ name: `${knownMethod(method)} ${path}`, kind: 'server', parent });
}

/** Ends it with what HTTP says of it. Never the path or the query: people put names and tokens there. */
export function endRequestSpan(
  span: OpenSpan,
  { method = '', httpVersion }: IncomingMessage,
  { route, status, aborted }: { readonly route: string; readonly status: number; readonly aborted: boolean },
): void {
  const error = status >= SERVER_ERROR ? String(status) : aborted ? 'aborted' : undefined;
  span.end({
    attributes: {
      'http.request.method': knownMethod(method),
      'http.route': route,
      'http.response.status_code': status,
      'network.protocol.version': httpVersion,
      'url.scheme': 'http',
    },
    error,
  });
}

const knownMethod = (method: string): string => (METHODS.has(method) ? method : '_OTHER');

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** W3C trace context. What is not exactly that is nobody's. */
export function readTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] =
    TRACEPARENT.exec(typeof header === 'string' ? header.trim() : '') ?? [];
  if (!traceId || !spanId || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags ?? '', 16) & SAMPLED) === SAMPLED, remote: true };
}
