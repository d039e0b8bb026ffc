import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenHere } from '#testkit/web';

/** How a backend, or what stands in front of it, goes wrong. */
export const BACKEND_FAULTS = [
  'page',
  'odd_json',
  'failing',
  'login',
  'endless',
  'busy',
  'broken',
  'silent',
  'limited',
] as const;
export type BackendFault = (typeof BACKEND_FAULTS)[number];

interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** Stands in front of a backend and lets in whoever has the token. */
export interface FaultProxy {
  readonly url: string;
  readonly token: string;
  readonly requests: readonly ProxiedRequest[];
  /** From now on every answer goes wrong in this way; undefined mends it. */
  fail(fault: BackendFault | undefined): void;
  close(): Promise<void>;
}

const TOKEN = 'tok-4f1c9a7be2d84d0f';

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const requests: ProxiedRequest[] = [];
  let fault: BackendFault | undefined;
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = incoming;
    requests.push({ method, path: new URL(url, target).pathname, headers });
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    if (fault) return goWrong(fault, headers, response);
    if (headers.authorization !== `Bearer ${TOKEN}`) {
      // An answer that repeats what it was sent must not carry a key into our messages.
      response.writeHead(401).end(`not allowed with ${headers.authorization ?? 'nothing'}`);
      return;
    }
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: {
        accept: headers.accept ?? '*/*',
        ...(headers['content-type'] ? { 'content-type': headers['content-type'] } : {}),
      },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const type = answer.headers.get('content-type') ?? 'text/plain';
    response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const { url, close } = await listenHere(server);
  return {
    url,
    close,
    token: TOKEN,
    requests,
    fail: (next) => {
      fault = next;
    },
  };
}

function goWrong(fault: BackendFault, headers: IncomingMessage['headers'], response: ServerResponse): void {
  const json = { 'content-type': 'application/json' };
  switch (fault) {
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
      return;
    case 'odd_json':
      response.writeHead(200, json).end('{"hello":["world"]}');
      return;
    case 'failing':
      response.writeHead(500, json).end(JSON.stringify({ error: `boom ${headers.authorization}` }));
      return;
    case 'login':
      response.writeHead(302, { location: 'https://login.example.invalid/' }).end();
      return;
    case 'endless':
      response.writeHead(200, json);
      sendForever(response);
      return;
    case 'busy':
      response.writeHead(503).end('<html>no upstream</html>');
      return;
    case 'broken':
      response.writeHead(200, { ...json, 'content-length': '100000' }).write('{"status":');
      response.destroy();
      return;
    case 'limited':
      response.writeHead(429, { 'retry-after': '7' }).end('slow down');
      return;
    case 'silent':
  }
}

function sendForever(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1_024, 'x');
  const more = () => {
    while (!response.destroyed && response.write(chunk)) {
      /* until the other end has enough */
    }
  };
  response.on('drain', more);
  more();
}
