import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { refusedAddress } from '#kit/public-address';

export interface FilteringProxy {
  readonly url: string;
  /** What was refused since the last time this was asked, a sentence each. */
  refusals(): readonly string[];
  close(): Promise<void>;
}

interface FilteringProxyOptions {
  /** `host:port` that may be reached although their addresses are not public. */
  readonly allow: readonly string[];
  /** All addresses of a name. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

export const REFUSED_HEADER = 'x-hermes-refused';
const CONNECT_MS = 10_000;
const MOST_REFUSALS = 20;
/** They belong to one connection, not to the message. */
const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
]);

type Target = { readonly addresses: readonly string[] } | { readonly refused: string };

/**
 * The only way out of the browser. Every connection, whatever asked for it, names its host here; the name is resolved
 * once, every address of it is checked, and the connection goes to an address that was checked.
 */
export async function openFilteringProxy(options: FilteringProxyOptions): Promise<FilteringProxy> {
  const { allow, resolve = resolveAll } = options;
  const refused = new Set<string>();
  const sockets = new Set<Duplex>();
  const find = async (host: string, port: number): Promise<Target> => {
    const target = await findTarget(host, port, allow, resolve);
    if ('refused' in target && refused.size < MOST_REFUSALS) refused.add(target.refused);
    return target;
  };

  const server = createServer((incoming, response) => void forward(incoming, response, find));
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    sockets.add(client);
    client.on('close', () => sockets.delete(client)).on('error', () => client.destroy());
    void tunnel(incoming.url ?? '', client, head, find);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    refusals: () => {
      const told = [...refused];
      refused.clear();
      return told;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
        server.closeAllConnections();
      }),
  };
}

type Find = (host: string, port: number) => Promise<Target>;

async function resolveAll(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
}

/** One address that is not public spoils a name: a mixed answer is how a name is made to point inside. */
async function findTarget(
  host: string,
  port: number,
  allow: readonly string[],
  resolve: (name: string) => Promise<readonly string[]>,
): Promise<Target> {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const addresses = isIP(bare) ? [bare] : await resolve(bare.replace(/\.$/, ''));
  if (allow.includes(`${host.toLowerCase()}:${port}`)) return { addresses };
  const reason = addresses.map(refusedAddress).find((found) => found !== undefined);
  return reason === undefined ? { addresses } : { refused: `${host}:${port} leads to ${reason}` };
}

async function forward(incoming: IncomingMessage, response: ServerResponse, find: Find): Promise<void> {
  const url = URL.parse(incoming.url ?? '');
  if (url?.protocol !== 'http:') return end(response, 400, 'only http goes this way');
  const port = Number(url.port || 80);
  let target: Target;
  try {
    target = await find(url.hostname, port);
  } catch (error) {
    return end(response, 502, `${url.hostname} could not be resolved: ${messageOf(error)}`);
  }
  if ('refused' in target) return end(response, 403, target.refused, { [REFUSED_HEADER]: target.refused });
  const socket = await connectAny(target.addresses, port);
  if (!socket) return end(response, 502, `${url.host} does not answer`);
  const outgoing = request({
    createConnection: () => socket,
    method: incoming.method ?? 'GET',
    path: `${url.pathname}${url.search}`,
    headers: Object.fromEntries(withoutHops(incoming)),
    setHost: false,
  });
  outgoing.on('response', (answered) => {
    response.writeHead(answered.statusCode ?? 502, Object.fromEntries(withoutHops(answered)));
    answered.pipe(response);
  });
  outgoing.on('error', (error) => end(response, 502, `${url.host} failed: ${messageOf(error)}`));
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

async function tunnel(authority: string, client: Duplex, head: Buffer, find: Find): Promise<void> {
  const url = URL.parse(`http://${authority}`);
  const port = Number(url?.port || 80);
  let target: Target = { refused: 'not a host' };
  try {
    if (url?.hostname) target = await find(url.hostname, port);
  } catch {
    // The browser tells that the name leads nowhere; there is nothing to be kept about it.
    return void client.end('HTTP/1.1 502 Not Resolved\r\n\r\n');
  }
  if ('refused' in target) return void client.end('HTTP/1.1 403 Refused\r\n\r\n');
  const socket = await connectAny(target.addresses, port);
  if (!socket) return void client.end('HTTP/1.1 502 No Answer\r\n\r\n');
  client.on('close', () => socket.destroy());
  socket.on('close', () => client.destroy()).on('error', () => client.destroy());
  client.write('HTTP/1.1 200 Connected\r\n\r\n');
  if (head.length > 0) socket.write(head);
  socket.pipe(client).pipe(socket);
}

async function connectAny(addresses: readonly string[], port: number): Promise<Socket | undefined> {
  for (const host of addresses) {
    const socket = await connectOne(host, port);
    if (socket) return socket;
  }
  return undefined;
}

function connectOne(host: string, port: number): Promise<Socket | undefined> {
  return new Promise((connected) => {
    const socket = connect({ host, port });
    const give = (value: Socket | undefined) => {
      clearTimeout(timer);
      if (!value) socket.destroy();
      connected(value);
    };
    const timer = setTimeout(() => give(undefined), CONNECT_MS);
    socket.once('connect', () => give(socket)).on('error', () => give(undefined));
  });
}

/** Headers by name, those that come more than once as a list. */
function withoutHops(message: IncomingMessage): Map<string, string | string[]> {
  const headers = new Map<string, string | string[]>();
  for (const [name, values = []] of Object.entries(message.headersDistinct))
    if (!HOP_HEADERS.has(name)) headers.set(name, values.length === 1 ? (values[0] ?? '') : values);
  return headers;
}

function end(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  response.end(`Hermes: ${text}`);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
