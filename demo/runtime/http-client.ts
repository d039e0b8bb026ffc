import { request as httpRequest } from 'node:http';
import type { Span } from '../telemetry/tracer.ts';
import type { Peers, ServiceName } from '../system/service-names.ts';
import { type CallAnswer, type ClientCall, Late } from './client-call.ts';

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

/** Calls another service. */
export type CallPeer = (call: Call, parent: Span, version: string) => Promise<CallAnswer>;

export const createCallPeer =
  (peers: () => Peers, callOut: ClientCall): CallPeer =>
  (call, parent, version) => {
    const address = new URL(call.path, peers()[call.peer] ?? 'http://127.0.0.1:9');
    return callOut({ ...call, address }, parent, version, async (span) => {
      const { status, text } = await exchange(call, address, span);
      return { status, body: parse(text) };
    });
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
