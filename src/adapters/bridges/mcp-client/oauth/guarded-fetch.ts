import { fail } from '#kit/app-error';
import { isLoopback } from '#adapters/io/secure-url';

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

export interface GuardedFetches {
  /** For what the user wrote down. */
  readonly own: Fetch;
  /** For what the server points to: it connects to checked addresses alone. */
  readonly elsewhere: Fetch;
  /** What the user has sent with requests to the server, and to nobody else. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Requests on behalf of one server. Its own address is what the user wrote down, and so is its host where that is a
 * private one. Everything else came from the server: it must be behind TLS, may not be a private address where the
 * server is public, and goes to an address that was checked.
 */
export function guardedFetch(server: URL, { own, elsewhere, headers }: GuardedFetches): Fetch {
  const isPrivate = isPrivateHost(server.hostname);
  return async (input, init) => {
    const url = new URL(input);
    const options: RequestInit = { redirect: 'error', ...init };
    if (url.origin === server.origin)
      return isPrivate || isExchange(url, server, init) ? own(input, options) : elsewhere(input, options);
    const both = isPrivate && isPrivateHost(url.hostname);
    if (url.protocol !== 'https:' && !(both && url.protocol === 'http:'))
      throw fail('tool.refused', `${url.origin}, which ${server.host} points to, is not behind TLS`);
    if (isPrivateHost(url.hostname) && !isPrivate)
      throw fail('tool.refused', `${url.origin}, which ${server.host} points to, is a private address`);
    const theirs = { ...options, headers: without(headers, init?.headers) };
    return isPrivate && isSameHost(url, server) ? own(input, theirs) : elsewhere(input, theirs);
  };
}

/** Whether a request is part of the conversation with the server, whose answers are streams, rather than of a sign-in. */
const isExchange = (url: URL, server: URL, init: RequestInit | undefined): boolean =>
  url.href === server.href || (new Headers(init?.headers).get('accept') ?? '').includes('text/event-stream');

const isSameHost = (url: URL, server: URL): boolean =>
  url.hostname === server.hostname || (isLoopback(url.hostname) && isLoopback(server.hostname));

function without(
  ours: Readonly<Record<string, string>>,
  given: RequestInit['headers'],
): Record<string, string> {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(ours)) if (headers.get(name) === value) headers.delete(name);
  return Object.fromEntries(headers);
}

/** Names and addresses that lead into a private network, as far as their spelling tells. */
const isPrivateHost = (hostname: string): boolean =>
  isLoopback(hostname) ||
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
    hostname,
  ) ||
  /^\[(?:::|::1|f[cd]|fe[89ab]|::ffff:|64:ff9b:|2002:)/i.test(hostname) ||
  /\.(?:local|internal|localhost)$/i.test(hostname) ||
  !/[.:]/.test(hostname);
