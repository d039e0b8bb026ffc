import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail } from '#kit/app-error';

const PATH = '/callback';

/** The place on this machine that a browser comes back to after a sign-in. */
export interface LoopbackRedirect {
  readonly url: string;
  /** What the browser brought for this state. Other visits are turned away and do not end the waiting. */
  arrival(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** Listens on the port that was used before, if it is free: authorization servers know the client by its address. */
export async function openLoopbackRedirect(preferredPort: number): Promise<LoopbackRedirect> {
  const server = createServer();
  const arrived = Promise.withResolvers<URLSearchParams>();
  let expected: string | undefined;
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const fits =
      request.method === 'GET' &&
      url.pathname === PATH &&
      expected !== undefined &&
      url.searchParams.get('state') === expected;
    // Nothing of what was brought is shown: it may come from anywhere.
    response.writeHead(fits ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      connection: 'close',
    });
    response.end(fits ? 'Done. You can close this page and go back to Hermes.\n' : 'Nothing here.\n');
    if (fits) arrived.resolve(url.searchParams);
  });
  const port = await listen(server, preferredPort);
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    async arrival(state, signal) {
      expected = state;
      const stopped = () => arrived.reject(fail('tool.failed', 'nobody came back from the sign-in in time'));
      if (signal.aborted) stopped();
      signal.addEventListener('abort', stopped, { once: true });
      return arrived.promise.finally(() => signal.removeEventListener('abort', stopped));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server, preferredPort: number): Promise<number> {
  for (const port of preferredPort > 0 ? [preferredPort, 0] : [0]) {
    const taken = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' && port > 0 ? resolve(true) : reject(error),
      );
      server.listen(port, '127.0.0.1', () => resolve(false));
    });
    if (!taken) break;
  }
  return (server.address() as AddressInfo).port;
}
