import { Client } from 'undici';
import { AppError, fail } from '#kit/app-error';
import type { WebAnswer, WebClient, WebRequest } from '#spec/ports';
import { checkUrl, exceptionSet, refused, type Target } from './check-url.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { networkError } from './network-error.ts';
import { type Hop, isRedirect, nextHop } from './next-hop.ts';
import {
  checkedAddresses,
  type ConnectionFacts,
  pinnedConnector,
  type Resolve,
  systemResolve,
} from './pinned-connector.ts';
import { readCertificate } from './read-certificate.ts';
import { reachPort } from './reach-port.ts';
import { ACCEPTED_ENCODINGS, readBody } from './read-body.ts';
import { unlessAborted } from './unless-aborted.ts';
import { resolveName } from './resolve-name.ts';

export interface WebClientOptions {
  /** `host:port` or URLs of private services that may be asked all the same. Metadata services stay refused. */
  readonly allowPrivate?: readonly string[];
  readonly maxConcurrent?: number;
  /** In place of the system's resolver. */
  readonly resolve?: Resolve;
  /** Certificates of authorities that are trusted besides the usual ones, in PEM. */
  readonly ca?: readonly string[];
}

/** An answer, and what is known of the connection that it came over. */
interface TracedAnswer extends WebAnswer {
  readonly connection?: ConnectionFacts;
}

interface OpenWebClient extends WebClient {
  fetch(request: WebRequest, signal: AbortSignal): Promise<TracedAnswer>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

const MOST_REDIRECTS = 5;
const MOST_AT_ONCE = 8;
const USER_AGENT = 'Mozilla/5.0 (compatible; Hermes)';

export function openWebClient(options: WebClientOptions = {}): OpenWebClient {
  const exceptions = exceptionSet(options.allowPrivate ?? []);
  const limited = limitConcurrency(options.maxConcurrent ?? MOST_AT_ONCE);
  const resolve = options.resolve ?? systemResolve;
  const closing = new AbortController();
  const deps = { exceptions, resolve, ca: options.ca };
  return {
    fetch: async (request, signal) => {
      const interrupted = AbortSignal.any([signal, closing.signal]);
      try {
        return await limited(interrupted, () => follow(request, interrupted, deps));
      } catch (error) {
        throw asAppError(error, request, interrupted);
      }
    },
    reach: (host, port, timeoutMs, signal) =>
      limited(signal, () =>
        reachPort(host, port, timeoutMs, AbortSignal.any([signal, closing.signal]), deps),
      ),
    resolve: (name, type, timeoutMs, signal) =>
      limited(signal, () =>
        resolveName(name, type, timeoutMs, AbortSignal.any([signal, closing.signal]), resolve),
      ),
    certificate: (server, timeoutMs, signal) =>
      limited(signal, () =>
        readCertificate(server, timeoutMs, AbortSignal.any([signal, closing.signal]), deps),
      ),
    close: async () => closing.abort(fail('tool.failed', 'Hermes is shutting down.')),
  };
}

interface Deps {
  readonly exceptions: ReadonlySet<string>;
  readonly resolve: Resolve;
  readonly ca: readonly string[] | undefined;
}

/** One request and the redirects that it leads to, all within one time limit. */
async function follow(request: WebRequest, signal: AbortSignal, deps: Deps): Promise<TracedAnswer> {
  const started = performance.now();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(request.timeoutMs)]);
  const most = request.redirects ?? MOST_REDIRECTS;
  let hop = firstHop(request);
  let target = checkUrl(hop.url, deps.exceptions);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await once(hop, target, request, limit, deps);
    const location = answer.headers.location;
    if (most === 0 || !location || !isRedirect(answer.status))
      return { ...answer, ms: performance.now() - started };
    if (redirects >= most) throw fail('tool.failed', `${target.host} redirects more than ${most} times.`);
    const next = nextHop(hop, answer.status, location);
    if (typeof next === 'string') throw refused(next, hop.url);
    const from = target;
    hop = next;
    target = checkUrl(hop.url, deps.exceptions);
    // An exception is for those who ask for it by name, not for a page that points there.
    if (target.excepted && !from.excepted)
      throw refused('a public page redirects to a private service', hop.url);
  }
}

function firstHop({ url, method = 'GET', headers = {}, body }: WebRequest): Hop {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    url: url.replace(/#.*$/s, ''),
    method: method.toUpperCase(),
    headers: { 'user-agent': USER_AGENT, accept: '*/*', ...lower },
    ...(body === undefined ? {} : { body }),
  };
}

async function once(
  hop: Hop,
  target: Target,
  { maxBytes, timeoutMs }: WebRequest,
  signal: AbortSignal,
  deps: Deps,
): Promise<TracedAnswer> {
  const started = performance.now();
  const addresses = await unlessAborted(signal, checkedAddresses(target, deps.resolve));
  const dnsMs = performance.now() - started;
  let connection: ConnectionFacts | undefined;
  const connect = pinnedConnector(addresses, timeoutMs, deps.ca, (facts) => {
    connection = { dnsMs, ...facts };
  });
  // A client for each hop: nothing of one request is left for the next one, and its connection is known.
  const client = new Client(target.url.origin, {
    connect,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  try {
    const answered = await client.request({
      path: target.url.pathname + target.url.search,
      method: hop.method,
      headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...hop.headers },
      body: hop.body ?? null,
      signal,
    });
    const headers = flat(answered.headers);
    const { bytes, cut } = await readBody(answered.body, headers['content-encoding'] ?? '', maxBytes);
    return {
      url: target.url.href,
      status: answered.statusCode,
      headers,
      body: bytes,
      cut,
      ms: performance.now() - started,
      ...(connection ? { connection } : {}),
    };
  } finally {
    await client.destroy();
  }
}

const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

function asAppError(error: unknown, { url, timeoutMs }: WebRequest, interrupted: AbortSignal): AppError {
  if (error instanceof AppError) return error;
  if (interrupted.aborted) {
    const reason: unknown = interrupted.reason;
    return reason instanceof AppError
      ? reason
      : fail('tool.failed', 'The request was interrupted.', undefined, error);
  }
  return networkError(error, URL.parse(url)?.host ?? url, timeoutMs);
}
