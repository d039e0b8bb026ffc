import { AppError } from '#kit/app-error';
import { type KnownSecrets, redact } from '#kit/redact';
import type { Logger } from '#spec/ports';
import { addressKey } from './address-key.ts';
import type { Exchange } from './serve-request.ts';
import type { ServerMetrics } from './server-metrics.ts';
import { endRequestSpan } from './trace-request.ts';

interface AccessLogDeps {
  readonly log: Logger | undefined;
  readonly metrics: ServerMetrics;
  readonly secrets: KnownSecrets;
}

const LONGEST_PATH = 200;

/** Follows an exchange to its end, however it ends: closes its books, counts it and writes one line. */
export function accessLog({ log, metrics, secrets }: AccessLogDeps): (exchange: Exchange) => void {
  return (exchange) => {
    const { incoming, outgoing, open, id } = exchange;
    const started = performance.now();
    const sentBefore = outgoing.socket?.bytesWritten ?? 0;
    const { socket } = outgoing;
    // Gone by the time the connection is.
    const address = addressKey(incoming.socket.remoteAddress);
    outgoing.once('close', () => {
      const aborted = !outgoing.writableFinished;
      if (aborted) open.abort();
      open.end();
      const ms = performance.now() - started;
      const method = incoming.method ?? 'GET';
      const status = outgoing.statusCode;
      const { route, principal, thrown, stream, span } = exchange;
      if (span && route) endRequestSpan(span, incoming, { route, status, aborted });
      metrics.served({ method, route: route ?? 'none', status, ...(stream ? {} : { ms }) });
      const fields = {
        requestId: id,
        method,
        ...(route ? { route } : { path: shownPath(incoming.url ?? '', secrets) }),
        status,
        ms: Math.round(ms * 10) / 10,
        bytes: (socket?.bytesWritten ?? 0) - sentBefore,
        address,
        ...(principal ? { principal: `${principal.channel}:${principal.user}` } : {}),
        ...(aborted ? { aborted } : {}),
      };
      if (thrown !== undefined)
        log?.error('request.failed', { ...fields, error: redact(told(thrown), secrets) });
      else if (status >= 500) log?.warn('request.served', fields);
      else log?.info('request.served', fields);
    });
  };
}

/** Without the query: people put tokens there. */
const shownPath = (target: string, secrets: KnownSecrets): string =>
  redact((target.split('?')[0] ?? '').slice(0, LONGEST_PATH), secrets);

/** A defect is told with its place; a failure on purpose with its code. */
function told(thrown: unknown): string {
  if (thrown instanceof AppError) return `${thrown.record.code}: ${thrown.message}`;
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
