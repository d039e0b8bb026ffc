import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listenHere } from './listen-here.ts';

/** A request as it came over the wire. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The body as JSON. */
  json(): unknown;
}

export interface LoopbackAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Anything but text and bytes is sent as JSON. */
  readonly body?: unknown;
}

/** Answers a request, or writes to the response itself and gives nothing. */
export type LoopbackHandler = (
  request: SeenRequest,
  response: ServerResponse,
) => LoopbackAnswer | undefined | Promise<LoopbackAnswer | undefined>;

export interface LoopbackServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

/** A server on 127.0.0.1 that answers as the handler says and remembers what it was asked. */
export async function startLoopback(
  handler: LoopbackHandler,
  tls?: { readonly key: string; readonly cert: string },
): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  const listener: RequestListener = (incoming, response) => {
    serve(incoming, response, handler, requests).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  const { url, port, close } = await listenHere(server);
  return {
    url: tls ? url.replace('http:', 'https:') : url,
    port,
    requests,
    close,
  };
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  handler: LoopbackHandler,
  requests: SeenRequest[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const url = new URL(incoming.url ?? '/', 'http://loopback');
  const body = Buffer.concat(chunks);
  const seen: SeenRequest = {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body,
    json: () => JSON.parse(body.toString('utf8')) as unknown,
  };
  requests.push(seen);
  const answer = await handler(seen, response);
  if (!answer) return;
  const raw = typeof answer.body === 'string' || answer.body instanceof Uint8Array;
  const type = raw || answer.body === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(answer.status ?? 200, { ...type, ...answer.headers });
  response.end(raw ? answer.body : answer.body === undefined ? undefined : JSON.stringify(answer.body));
}
