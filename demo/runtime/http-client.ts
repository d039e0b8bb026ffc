import { request as httpRequest } from 'node:http';
import type { Meter } from '../telemetry/instruments.ts';
import type { Span } from '../telemetry/tracer.ts';
import type { Peers, ServiceName } from '../system/service-names.ts';
import { Refused } from './refused.ts';

interface Call {
  readonly peer: ServiceName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The path without what differs from call to call. */
  readonly route: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface CallAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly ms: number;
}

/** Calls another service under a CLIENT span. Throws `Refused` 504 when it is late, 503 when nobody is there. */
export type CallPeer = (call: Call, parent: Span, version: string) => Promise<CallAnswer>;

export const createCallPeer =
  (peers: () => Peers, meter: Meter): CallPeer =>
  async (call, parent, version) => {
    const { peer, method, route, path } = call;
    const base = peers()[peer];
    const address = new URL(path, base ?? 'http://127.0.0.1:9');
    const span = parent.child(`${method} ${route}`, 'client', {
      'http.request.method': method,
      'url.path': path,
      'server.address': address.hostname,
      'server.port': Number(address.port),
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
      const { status, text } = await exchange(call, address, span);
      span.set({ 'http.response.status_code': status });
      span.end(status >= 400 ? `${peer} answered ${status}` : undefined);
      const ms = measure(status, status >= 400 ? String(status) : '');
      return { status, body: parse(text), ms };
    } catch (error) {
      const refused = failureOf(error, peer, call.timeoutMs);
      measure('', refused.kind);
      span.set({ 'error.type': refused.kind });
      span.end(refused.message);
      throw refused;
    }
  };

/** A connection for each call: a peer may be replaced between two calls. */
function exchange(call: Call, address: URL, span: Span): Promise<{ status: number; text: string }> {
  const payload = call.body && JSON.stringify(call.body);
  const headers = {
    ...call.headers,
    traceparent: span.traceparent,
    ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}),
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(address, { method: call.method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => finish(() => resolve({ status: response.statusCode ?? 500, text })));
      response.on('error', (error) => finish(() => reject(error)));
    });
    const finish = (then: () => void): void => {
      clearTimeout(timer);
      then();
    };
    const timer = setTimeout(() => outgoing.destroy(new Late()), call.timeoutMs);
    outgoing.on('error', (error) => finish(() => reject(error)));
    outgoing.end(payload);
  });
}

class Late extends Error {}

function failureOf(error: unknown, peer: string, timeoutMs: number): Refused {
  if (error instanceof Late)
    return new Refused(504, `${peer} did not answer within ${timeoutMs} ms`, 'timeout');
  const message = error instanceof Error ? error.message : String(error);
  return new Refused(503, `${peer} unreachable: ${message}`, 'connection_refused');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
