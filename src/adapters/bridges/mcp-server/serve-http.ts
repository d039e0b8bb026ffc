import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/server';
import { legacySessions } from './legacy-sessions.ts';
import { answerWith, webRequest } from './node-http.ts';

export interface HttpPlan {
  /** A new server for each client, with everything registered. */
  build(): Promise<McpServer>;
  readonly port: number;
  /** Looks at every request first; what it gives is the answer. */
  refuse?(request: Request): Response | undefined;
  log(text: string): void;
}

export interface HttpEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';

/**
 * Streamable HTTP on the loopback address, for clients of the newest revision and for older ones. Pages in a browser
 * cannot reach it: requests must name this machine, and come from it if they come from a page at all.
 */
export async function serveHttp({ build, port, refuse, log }: HttpPlan): Promise<HttpEndpoint> {
  const sdk = await import('@modelcontextprotocol/server');
  const onerror = (error: Error) => log(error.message);
  const modern = sdk.createMcpHandler(build, { legacy: 'reject', onerror });
  const legacy = legacySessions(build, sdk);
  const answer = async (request: Request): Promise<Response> => {
    const foreign =
      sdk.hostHeaderValidationResponse(request, sdk.localhostAllowedHostnames()) ??
      sdk.originValidationResponse(request, sdk.localhostAllowedHostnames());
    if (foreign) return foreign;
    if (new URL(request.url).pathname !== PATH) return new Response('Nothing here.\n', { status: 404 });
    const refused = refuse?.(request);
    if (refused) return refused;
    if (!(await sdk.isLegacyRequest(request))) return modern.fetch(request);
    return legacy.answer(request);
  };
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    webRequest(incoming, gone.signal)
      .then((request) => (request ? answer(request) : new Response('Too long.\n', { status: 413 })))
      .then((response) => answerWith(response, outgoing))
      .catch((error: unknown) => {
        if (!gone.signal.aborted) log(String(error));
        if (!outgoing.headersSent) outgoing.writeHead(500);
        outgoing.end();
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    async close() {
      await Promise.all([modern.close(), legacy.close()]);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
