import type { Meter } from '../telemetry/instruments.ts';
import type { Span } from '../telemetry/tracer.ts';
import { Refused } from './refused.ts';

/** Whom a call goes to, and what for. */
interface Target {
  readonly peer: string;
  readonly method: 'GET' | 'POST';
  readonly address: URL;
  /** The path without what differs from call to call. */
  readonly route: string;
  readonly timeoutMs: number;
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

export interface CallAnswer extends Answered {
  readonly ms: number;
}

/** Throws `Late` when nobody answered within the time-out, anything else when nobody is there. */
type Exchange = (span: Span) => Promise<Answered>;

/** Calls somebody under a CLIENT span. Throws `Refused` 504 when they are late, 503 when nobody is there. */
export type ClientCall = (
  target: Target,
  parent: Span,
  version: string,
  exchange: Exchange,
) => Promise<CallAnswer>;

export class Late extends Error {}

export const createClientCall =
  (meter: Meter): ClientCall =>
  async ({ peer, method, address, route, timeoutMs }, parent, version, exchange) => {
    const span = parent.child(`${method} ${route}`, 'client', {
      'http.request.method': method,
      'url.path': address.pathname,
      'server.address': address.hostname,
      'server.port': Number(address.port) || 443,
      'peer.service': peer,
      'service.version': version,
    });
    const began = performance.now();
    const measure = (code: number | '', error: string): number => {
      const ms = performance.now() - began;
      meter.measure('called', ms / 1000, { version, peer, address: address.hostname, code, error });
      return ms;
    };
    try {
      const { status, body } = await exchange(span);
      span.set({ 'http.response.status_code': status });
      span.end(status >= 400 ? `${peer} answered ${status}` : undefined);
      const ms = measure(status, status >= 400 ? String(status) : '');
      return { status, body, ms };
    } catch (error) {
      const refused = failureOf(error, peer, timeoutMs);
      measure('', refused.kind);
      span.set({ 'error.type': refused.kind });
      span.end(refused.message);
      throw refused;
    }
  };

function failureOf(error: unknown, peer: string, timeoutMs: number): Refused {
  if (error instanceof Late)
    return new Refused(504, `${peer} did not answer within ${timeoutMs} ms`, 'timeout');
  const message = error instanceof Error ? error.message : String(error);
  return new Refused(503, `${peer} unreachable: ${message}`, 'connection_refused');
}
