import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import type { LogEvent, LogLevel } from '#spec/data';
import { defineRoute, type Logger, type Route } from '#spec/ports';
import { type RunningServer, type ServerOptions, startServer } from '../../../src/server/start-server.ts';

export const TOKEN = 'a-token-for-writing-0123';
export const READ_ONLY = 'a-token-for-reading-4567';

/** A route for each kind of access, which tell what they were given. */
export const ECHO_ROUTES: readonly Route[] = (
  ['public', 'signed', 'read', 'write', 'approve', 'admin'] as const
).flatMap((access) =>
  (['GET', 'POST'] as const).map((method) =>
    defineRoute({
      method,
      path: `/echo/${access}/:name`,
      access,
      maxBytes: 1_000,
      handle: ({ params, principal, body, headers, query }) =>
        Promise.resolve({
          status: 200,
          body: {
            name: params['name'],
            principal,
            body: Buffer.from(body).toString('hex'),
            headers,
            query: [...query],
          },
        }),
    }),
  ),
);

interface Line {
  readonly level: LogLevel;
  readonly event: LogEvent;
  readonly [field: string]: unknown;
}

export interface UnderTest extends RunningServer {
  readonly lines: readonly Line[];
}

export async function scriptedServer(options: Partial<ServerOptions> = {}): Promise<UnderTest> {
  const lines: Line[] = [];
  const teller =
    (level: LogLevel): Logger['info'] =>
    (event, fields) =>
      void lines.push({ ...fields, level, event });
  const [debug, info, warn, error] = [teller('debug'), teller('info'), teller('warn'), teller('error')];
  const log: Logger = { debug, info, warn, error, child: () => log };
  const server = await startServer({
    routes: ECHO_ROUTES,
    auth: { enabled: true, token: TOKEN, readOnlyToken: READ_ONLY, header: 'x-runbook-token' },
    host: '127.0.0.1',
    port: 0,
    readiness: () => Promise.resolve({ ok: true, details: { store: 'ok' } }),
    log,
    drainMs: 1_000,
    ...options,
  });
  return { ...server, lines };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  json(): Record<string, unknown>;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly token?: string;
}

/** A request with every header as given, the path as written. */
export function ask(server: RunningServer, path: string, asked: Asked = {}): Promise<Reply> {
  const { method = 'GET', body, token } = asked;
  const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...asked.headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port: server.port, path, method, headers, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json = () => JSON.parse(text) as Record<string, unknown>;
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Bytes as they are, and everything that comes back until the connection ends. */
export function speak(server: RunningServer, ...pieces: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
    for (const piece of pieces) socket.write(piece);
  });
}
