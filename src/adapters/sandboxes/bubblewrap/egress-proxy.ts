import { lookup } from 'node:dns/promises';
import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { BlockList, connect, isIP, type Socket } from 'node:net';
import { join } from 'node:path';
import type { SandboxPlace } from '#spec/ports';
import { goOnWithout } from '../go-on-without.ts';
import { isAllowed } from './host-pattern.ts';
import { PROXY_PORT } from './relay.ts';

/** A proxy on this side of a sandbox that lets listed hosts pass. */
export interface EgressProxy {
  /** Where it listens: a socket that commands cannot reach by themselves. */
  readonly socket: string;
  /** What programs in the sandbox have to know. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Never reached through a name: this machine, its neighbours on the link, the services of a cloud about itself. */
const NEVER = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
] as const) {
  NEVER.addSubnet(address, bits, 'ipv4');
}
for (const [address, bits] of [
  ['::', 127],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['2002::', 16],
] as const) {
  NEVER.addSubnet(address, bits, 'ipv6');
}

const URL_OF_PROXY = `http://127.0.0.1:${PROXY_PORT}`;

/** What commands may reach, and whose log hears of what cannot be resolved. */
interface Reach {
  readonly allow: readonly string[];
  readonly place: Pick<SandboxPlace, 'name' | 'log'>;
}

export async function openEgressProxy(folder: string, reach: Reach): Promise<EgressProxy> {
  const socket = join(folder, 'egress.sock');
  const open = new Set<Socket>();
  const server = createServer((asked, answer) => void forward(reach, asked, answer));
  server.on(
    'connect',
    (asked: IncomingMessage, near: Socket, head: Buffer) => void tunnel(reach, asked, near, head),
  );
  server.on('clientError', (_, near) => refuse(near as Socket));
  server.on('connection', (near) => {
    open.add(near);
    near.once('close', () => open.delete(near));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve));
  // The folder lets nobody in but the one whom commands run as.
  await chmod(socket, 0o666);
  const names = ['http_proxy', 'https_proxy', 'all_proxy'];
  return {
    socket,
    env: Object.fromEntries(
      names.flatMap((name) => [name, name.toUpperCase()]).map((name) => [name, URL_OF_PROXY]),
    ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const near of open) near.destroy();
      }),
  };
}

/** What is no request is told so, and what still comes of it is read: whoever closes on unread bytes takes the answer back. */
function refuse(near: Socket): void {
  if (near.writableEnded) return;
  near.on('error', () => near.destroy());
  near.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  near.resume();
}

async function tunnel(reach: Reach, asked: IncomingMessage, near: Socket, head: Buffer): Promise<void> {
  near.on('error', () => near.destroy());
  const target = /^(\[[0-9a-f:.]+\]|[^:]+):(\d{1,5})$/i.exec(asked.url ?? '');
  const port = Number(target?.[2]);
  const address = target && (await addressOf(reach, target[1] ?? '', port));
  if (!address) return void near.end(`HTTP/1.1 403 Forbidden\r\n\r\n${refusal(asked.url)}`);
  const far = connect({ host: address, port }, () => {
    near.write('HTTP/1.1 200 Connection established\r\n\r\n');
    far.write(head);
    near.pipe(far).pipe(near);
  });
  far.on('error', () => near.destroy());
  near.once('close', () => far.destroy());
}

async function forward(reach: Reach, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const url = URL.parse(asked.url ?? '');
  const port = Number(url?.port || 80);
  const address = url?.protocol === 'http:' ? await addressOf(reach, url.hostname, port) : undefined;
  if (!url || !address) return void answer.writeHead(403).end(refusal(asked.url));
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = asked.headers;
  const far = request(
    {
      host: address,
      port,
      method: asked.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host },
    },
    (said) => {
      answer.writeHead(said.statusCode ?? 502, said.headers);
      said.pipe(answer);
    },
  );
  far.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
  asked.pipe(far);
}

/** The address of a listed host, resolved once: what was checked is what is connected to. */
async function addressOf({ allow, place }: Reach, host: string, port: number): Promise<string | undefined> {
  if (!isAllowed(allow, host, port)) return undefined;
  const isLiteral = isIP(host) !== 0 || host.toLowerCase() === 'localhost';
  const found = await lookup(host).catch(goOnWithout(place, `looking up ${host}`));
  if (!found) return undefined;
  const isRefused = !isLiteral && NEVER.check(found.address, found.family === 6 ? 'ipv6' : 'ipv4');
  return isRefused ? undefined : found.address;
}

const refusal = (target: string | undefined): string =>
  `${(target ?? '').slice(0, 200)} is not on the list of hosts that this sandbox may reach.\n`;
