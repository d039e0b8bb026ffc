import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Host, openHost } from '#host';
import { type ServedHome, serveHome } from '#server';
import { type IncidentHome, makeIncidentHome, personOf } from '#testkit/incident-home';

export const ROLES = ['viewer', 'operator', 'approver', 'admin'] as const;
export type Role = (typeof ROLES)[number];
export const tokenOf = (role: Role): string => `the-token-of-the-${role}-0123`;
/** A second operator: the role is the same, what is theirs is not. */
export const OTHER = 'the-token-of-another-0123';
/** In `.env`, for anything that the home talks to. */
export const SECRET = 'swordfish-swordfish-77';

/** What must come out by no way. */
export const OUTSIDE = 'a file beside the console';
export const SCRIPT = 'console.log("the console");';

/** What a browser sends when a person goes somewhere. */
export const PERSON = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly token?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export type SignedIn = Readonly<Record<'cookie' | 'x-csrf-token', string>>;

export interface UnderAttack {
  readonly home: IncidentHome;
  readonly host: Host;
  readonly served: ServedHome;
  /** A request with every header and the path as given. Of an answer that has no end, the head. */
  ask(path: string, asked?: Asked): Promise<Reply>;
  /** Bytes as they are, and everything that comes back until the connection ends. */
  speak(...pieces: readonly string[]): Promise<string>;
  /** Says something and is gone in the middle of it. */
  leave(piece: string): Promise<void>;
  signIn(role: Role): Promise<SignedIn>;
  close(): Promise<void>;
}

/** A home with five people and a console beside which something lies, served as it is for everybody. */
export async function underAttack(config: Readonly<Record<string, unknown>> = {}): Promise<UnderAttack> {
  const home = await makeIncidentHome({
    env: { VAULT_PASSWORD: SECRET },
    config: { server: { port: 0, openapi: true }, ...config },
  });
  const users = ROLES.map((role) => personOf(`the-${role}`, role, tokenOf(role)));
  users.push(personOf('another', 'operator', OTHER));
  await writeFile(join(home.folder, 'users.yaml'), JSON.stringify(users));
  const console = await consoleFolder(home.folder);
  const host = await openHost({ env: home.env, version: '1.2.3' });
  const demo = {
    faults: [],
    inject: () => Promise.resolve(),
    clear: () => Promise.resolve(),
    active: () => undefined,
  };
  const served = await serveHome(host, { console, demo });
  const ask: UnderAttack['ask'] = (path, asked) => send(served.port, path, asked);
  return {
    home,
    host,
    served,
    ask,
    speak: (...pieces) => speak(served.port, pieces),
    leave: (piece) =>
      new Promise((resolve) => {
        const socket = connect(served.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.on('close', () => resolve());
        socket.write(piece, () => socket.resetAndDestroy());
      }),
    signIn: async (role) => {
      const { headers, text } = await ask('/api/session', {
        method: 'POST',
        body: JSON.stringify({ token: tokenOf(role) }),
      });
      const { csrf } = JSON.parse(text) as { csrf: string };
      return { cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '', 'x-csrf-token': csrf };
    },
    close: async () => {
      await served.close();
      await host.close();
      await home.remove();
    },
  };
}

async function consoleFolder(folder: string): Promise<string> {
  const dist = join(folder, 'dist');
  await mkdir(join(dist, 'assets'), { recursive: true });
  await writeFile(join(folder, 'beside.txt'), OUTSIDE);
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>console</title>');
  await writeFile(join(dist, 'assets', 'main-Abc12345.js'), SCRIPT);
  await symlink(join(folder, 'beside.txt'), join(dist, 'link.txt'));
  await symlink(folder, join(dist, 'linked'));
  return dist;
}

const send = (
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, token }: Asked = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const all = {
      // Node sends the body of a DELETE without its length, which would be a second request.
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    };
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers: all as Record<string, string>, agent: false },
      (incoming) => {
        const { headers: got, statusCode: status = 0 } = incoming;
        const done = (text: string) => resolve({ status, headers: got, text });
        if (got['content-type']?.startsWith('text/event-stream')) {
          done('');
          return outgoing.destroy();
        }
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => done(Buffer.concat(chunks).toString()));
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.on('upgrade', ({ statusCode: status = 0, headers: got }, socket) => {
      socket.destroy();
      resolve({ status, headers: got, text: '' });
    });
    outgoing.end(body);
  });

const speak = (port: number, pieces: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk.toString()));
    // Cut by the other side: what was heard until then counts.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
    for (const piece of pieces) socket.write(piece);
  });
