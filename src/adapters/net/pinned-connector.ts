import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { rootCertificates, TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { fail } from '#kit/app-error';
import { refusedAddress } from '#kit/public-address';
import { isMetadata, refused, refusedPrivate, type Target } from './check-url.ts';

/** All addresses of a name. It is asked once for a connection. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** What is known of a connection once it stands. */
export interface ConnectionFacts {
  readonly address: string;
  readonly dnsMs: number;
  /** Until the connection stood, the TLS handshake included. */
  readonly connectMs: number;
  readonly tls?: {
    readonly protocol: string;
    readonly subject: string;
    readonly issuer: string;
    readonly validFrom: string;
    readonly validTo: string;
  };
}

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Connects to the addresses that were checked and to nothing else: the socket is compared with them before a byte is
 * sent. Host header and server name stay those of the URL.
 */
export function pinnedConnector(
  addresses: readonly string[],
  timeoutMs: number,
  ca: readonly string[] | undefined,
  onConnect: (facts: Omit<ConnectionFacts, 'dnsMs'>) => void,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: fixedLookup(addresses),
    timeout: timeoutMs,
    allowH2: false,
    ...(ca ? { ca: [...rootCertificates, ...ca] } : {}),
  });
  return (options, callback) => {
    const started = performance.now();
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      if (!addresses.includes(socket.remoteAddress ?? '')) {
        socket.destroy();
        return callback(refused('the connection went elsewhere', `http://${options.hostname}`), null);
      }
      onConnect({ connectMs: performance.now() - started, ...factsOf(socket) });
      callback(null, socket);
    });
  };
}

/** The addresses of a target, resolved once. One that may not be connected to refuses them all. */
export async function checkedAddresses(
  { url, host, excepted }: Target,
  resolve: Resolve,
): Promise<readonly string[]> {
  const addresses = isIP(host) ? [host] : await resolved(host, resolve);
  if (addresses.length === 0) throw fail('tool.failed', `${host} has no address`);
  for (const address of addresses) {
    const reason = refusedAddress(address);
    if (reason && (!excepted || isMetadata(reason)))
      throw refusedPrivate(`${host} leads to ${address}, ${reason}`, url.href);
  }
  return addresses;
}

async function resolved(host: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(host);
  } catch (cause) {
    throw fail('tool.failed', `${host} was not found`, 'The name may be misspelt, or DNS is down.', cause);
  }
}

/** Answers from the list for whatever is asked: the sockets below never resolve anything themselves. */
const fixedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    const first = all[0] as (typeof all)[number];
    if (options.all) callback(null, all);
    else callback(null, first.address, first.family);
  };

function factsOf(socket: Socket): Pick<ConnectionFacts, 'address' | 'tls'> {
  const address = socket.remoteAddress ?? '';
  if (!(socket instanceof TLSSocket)) return { address };
  const { subject, issuer, valid_from: validFrom, valid_to: validTo } = socket.getPeerCertificate();
  const name = (who: typeof subject | undefined) => String(who?.CN ?? who?.O ?? '');
  const tls = {
    protocol: socket.getProtocol() ?? '',
    subject: name(subject),
    issuer: name(issuer),
    validFrom,
    validTo,
  };
  return { address, tls };
}
