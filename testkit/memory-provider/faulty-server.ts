import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenHere } from '#testkit/web';

/** How a service goes wrong. `slow` answers only after the client has gone. */
export const SERVICE_FAULTS = [
  'unauthorized',
  'rate_limited',
  'failing',
  'slow',
  'malformed',
  'unknown_shape',
] as const;
export type ServiceFault = (typeof SERVICE_FAULTS)[number];

export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly body?: unknown;
}

export interface FaultyServer {
  readonly url: string;
  readonly requests: readonly ServiceRequest[];
  /** From now on every answer goes wrong in this way; undefined mends it. */
  fail(fault: ServiceFault | undefined): void;
  close(): Promise<void>;
}

const ANSWERS: Readonly<Record<Exclude<ServiceFault, 'slow'>, { status: number; text: string }>> = {
  unauthorized: { status: 401, text: '{"detail":"Invalid API key"}' },
  rate_limited: { status: 429, text: '{"detail":"Rate limit exceeded"}' },
  failing: { status: 500, text: '{"detail":"database is down, token sk-abcdefghijklmnop1234"}' },
  malformed: { status: 200, text: '<html>welcome' },
  unknown_shape: { status: 200, text: '{"hello":"world"}' },
};

/** A JSON service on 127.0.0.1 that can be told to go wrong. */
export async function startFaultyServer(
  answer: (request: ServiceRequest) => ServiceAnswer,
): Promise<FaultyServer> {
  const requests: ServiceRequest[] = [];
  let fault: ServiceFault | undefined;
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://service');
    const text = Buffer.concat(chunks).toString('utf8');
    const request: ServiceRequest = {
      method: incoming.method ?? '',
      path: pathname,
      query: searchParams,
      headers: incoming.headers,
      body: text ? JSON.parse(text) : undefined,
    };
    requests.push(request);
    if (fault === 'slow') return;
    const { status, text: sent } = fault ? ANSWERS[fault] : plain(answer(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(sent);
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const { url, close } = await listenHere(server);
  return {
    url,
    close,
    requests,
    fail: (next) => {
      fault = next;
    },
  };
}

const plain = ({ status, body }: ServiceAnswer) => ({
  status,
  text: body === undefined ? '' : JSON.stringify(body),
});
