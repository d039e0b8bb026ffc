import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageAt } from './page-at.ts';

/** Two sites on loopback: one with pages to use, one that nobody may reach. */
export interface Pages {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** The site that is not to be reached, and what was asked of it all the same. */
  readonly inner: { readonly url: string; readonly hits: readonly string[] };
  close(): Promise<void>;
}

export async function openPages(): Promise<Pages> {
  const hits: string[] = [];
  const inner = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' });
    response.end('<h1>internal secret</h1>');
  });
  const innerUrl = `http://${await listen(inner)}`;
  const outer = createServer((request, response) => void answer(request, response, innerUrl));
  const host = await listen(outer);
  return {
    url: `http://${host}`,
    host,
    inner: { url: innerUrl, hits },
    close: async () => void (await Promise.all([close(inner), close(outer)])),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, inner: string): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { status = 200, headers = {}, html } = pageAt(request.url ?? '/', body, inner);
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(html);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((closed) => {
    server.close(() => closed());
    server.closeAllConnections();
  });
}
