import type { KnownSecrets } from '#kit/redact';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenSpan, Principal, Route, RouteAnswer, RouteRequest, Tracer } from '#spec/ports';
import { addressKey } from './address-key.ts';
import { addSafeHeaders, answerResponse, isStream } from './answer-response.ts';
import { asksPerson, type Authenticator, mayUse, type Peer, unprotected } from './authenticate.ts';
import { checkAnswer } from './check-answer.ts';
import { foreignOrigin, isForeign } from './guard-origin.ts';
import type { LargeBodies } from './large-bodies.ts';
import type { OpenRequest } from './open-requests.ts';
import { problemResponse, refusalOf } from './problem.ts';
import type { RateLimit } from '#kit/rate-limit';
import { readBody } from './read-body.ts';
import { type Refusal, retryAfter } from './refusal.ts';
import type { RouteMatch } from './route-table.ts';
import type { Session } from './sessions.ts';
import { beginRequestSpan } from './trace-request.ts';

export interface ServeDeps {
  readonly match: (method: string, path: string) => RouteMatch;
  readonly guardHost: (host: string | undefined, local: string | undefined) => Refusal | undefined;
  readonly authenticator: Authenticator;
  readonly rate: RateLimit;
  readonly large: LargeBodies;
  readonly maxBytes: number;
  readonly bodyMs: number;
  readonly secrets: KnownSecrets;
  readonly refusedToken: () => void;
  /** Told of everything that broke on our side, before the answer is sent. */
  readonly broken: (thrown: unknown) => void;
  readonly turnedAway: (told: TurnedAway) => Promise<void>;
  readonly written: (told: Written) => Promise<void>;
  /** Pages and their parts, for paths that no route has. */
  readonly pages: (
    path: string,
    headers: Readonly<Record<string, string>>,
  ) => Promise<RouteAnswer | undefined>;
  /** Whether the process at the other end comes from a command that Hermes ran. */
  readonly fromCommand: (peer: Peer) => boolean;
  readonly draining: () => boolean;
  readonly tracer?: Tracer | undefined;
}

const WRITING: ReadonlySet<Route['access']> = new Set(['write', 'approve', 'admin']);

/** A request that would have changed something, and did not get as far as its route. */
export interface TurnedAway {
  readonly access: Exclude<Route['access'], 'public' | 'read'>;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly address: string;
  readonly principal?: Principal;
  readonly refusal: Refusal;
}

/** Something that was asked to change, by somebody who may. */
export interface Written {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly address: string;
  readonly principal: Principal;
  /** Whether a browser that is signed in sent it. */
  readonly session: boolean;
}

/** What is known of a request as it goes through; the log reads it at the end. */
export interface Exchange {
  readonly id: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly open: OpenRequest;
  route?: string;
  worded?: Route['refusal'];
  principal?: Principal;
  session?: Session | undefined;
  /** It got as far as its route, which may change something. */
  writes?: boolean;
  /** What is sent as it comes, after the head. */
  stream?: AsyncIterable<string | Uint8Array>;
  span?: OpenSpan | undefined;
  /** What broke on our side. */
  thrown?: unknown;
}

/** One request from its head to its answer. It never throws. */
export async function serveRequest(exchange: Exchange, deps: ServeDeps): Promise<Response> {
  let outcome: Response | Refusal;
  try {
    outcome = await serve(exchange, deps);
  } catch (thrown) {
    outcome = refusalOf(thrown);
    if (outcome.status >= 500) exchange.thrown = thrown;
  }
  await tellWritten(exchange, outcome.status, deps);
  if (exchange.thrown !== undefined) deps.broken(exchange.thrown);
  const response = isRefusal(outcome) ? problemResponse(outcome, exchange, deps.secrets) : outcome;
  addSafeHeaders(response.headers, exchange.id);
  if (deps.draining()) response.headers.set('connection', 'close');
  return response;
}

/** What was refused by its route changed nothing; of what broke on our side nobody knows. */
async function tellWritten(exchange: Exchange, status: number, deps: ServeDeps): Promise<void> {
  const { incoming, principal, writes } = exchange;
  const session = exchange.session !== undefined;
  if (!writes || !principal || (status >= 400 && status < 500)) return;
  const { address } = peerOf(incoming);
  const [path = '/'] = (incoming.url ?? '/').split('?');
  try {
    await deps.written({ method: incoming.method ?? '', path, status, address, principal, session });
  } catch (thrown) {
    // It has happened, so the answer stays; that nobody wrote it down is ours to mend.
    exchange.thrown ??= thrown;
  }
}

const isRefusal = (outcome: object): outcome is Refusal => 'detail' in outcome;

async function serve(exchange: Exchange, deps: ServeDeps): Promise<Response | Refusal> {
  const { incoming } = exchange;
  const method = incoming.method ?? 'GET';
  const target = incoming.url ?? '/';
  const misdirected =
    badTarget(incoming) ?? deps.guardHost(incoming.headers.host, incoming.socket.localAddress);
  if (misdirected) return misdirected;

  const [path = '/', ...query] = target.split('?');
  const matched = deps.match(method, path);
  const headers = headersOf(incoming);
  const reads = method === 'GET' || method === 'HEAD';
  if (matched.found === 'nothing' && reads) return page(exchange, path, headers, deps);
  if (matched.found !== 'route') return notServed(matched, method);
  const { route, params } = matched;
  exchange.route = route.path;
  exchange.worded = route.refusal;
  exchange.span = beginRequestSpan(deps.tracer, route, incoming);

  const turnAway = async (refusal: Refusal): Promise<Refusal> => {
    const { access } = route;
    const { principal } = exchange;
    if (access !== 'public' && access !== 'read' && refusal.status !== TOO_MANY) {
      const { address } = peerOf(incoming);
      try {
        await deps.turnedAway({
          access,
          path,
          params,
          address,
          refusal,
          ...(principal ? { principal } : {}),
        });
      } catch (thrown) {
        // Whoever may not come in stays out, also when nobody can write it down.
        exchange.thrown ??= thrown;
      }
    }
    return refusal;
  };
  if ((!reads || wantsEvents(headers)) && isForeign(headers)) return turnAway(foreignOrigin);
  const refused = admit(exchange, route, headers, deps);
  if (refused) return turnAway(refused);

  const limits = { maxBytes: route.maxBytes ?? deps.maxBytes, ms: deps.bodyMs };
  const body = reads ? new Uint8Array() : await takeBody(exchange, limits, deps);
  if (isRefusal(body)) return turnAway(body);
  const { principal } = exchange;
  const request: RouteRequest = {
    method,
    path,
    params,
    query: new URLSearchParams(query.join('?')),
    headers: principal ? deps.authenticator.withoutToken(headers) : headers,
    body,
    ...(principal ? { principal } : {}),
    peer: peerOf(incoming),
    signal: exchange.open.signal,
    trace: exchange.span?.context,
  };
  exchange.writes = !reads && WRITING.has(route.access);
  return provesItself(route) ? proven(exchange, route, request, deps) : answer(exchange, route, request);
}

const provesItself = ({ access, proves = access === 'signed' }: Route): boolean => proves;

/** What is larger than usual, or does not say how large it is, is taken from few at once. */
async function takeBody(
  { incoming, principal }: Exchange,
  limits: Parameters<typeof readBody>[1],
  { large, maxBytes }: ServeDeps,
): Promise<Uint8Array | Refusal> {
  const declared = Number(incoming.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  const isLarge = Math.min(declared, limits.maxBytes) > maxBytes;
  // What is signed comes in storms, from one address for all.
  if (!principal || !isLarge) return readBody(incoming, limits);
  const leave = large.enter(`${principal.channel} ${principal.user}`);
  if (!leave) return tooMany(BUSY_MS);
  try {
    return await readBody(incoming, limits);
  } finally {
    leave();
  }
}

/** A page of the console, or a part of one. */
async function page(
  exchange: Exchange,
  path: string,
  headers: Readonly<Record<string, string>>,
  deps: ServeDeps,
): Promise<Response | Refusal> {
  const wait = deps.rate.take(peerOf(exchange.incoming).address);
  if (wait) return tooMany(wait);
  const given = await deps.pages(path, headers);
  if (!given) return notServed({ found: 'nothing' }, 'GET');
  exchange.route = 'console';
  return answerResponse(given, { head: exchange.incoming.method === 'HEAD' });
}

async function answer(exchange: Exchange, route: Route, request: RouteRequest): Promise<Response | Refusal> {
  const given = checkAnswer(route, await route.handle(request));
  const head = request.method === 'HEAD';
  const response = answerResponse(given, { head });
  if (!isStream(given.body)) return response;
  if (isForeign(headersOf(exchange.incoming))) return foreignOrigin;
  exchange.open.streaming(exchange.session);
  exchange.stream = given.body;
  return response;
}

/** Compared first: what is wrong is counted in a book of its own, and what is right always passes. */
async function proven(
  exchange: Exchange,
  route: Route,
  request: RouteRequest,
  { rate }: ServeDeps,
): Promise<Response | Refusal> {
  try {
    return await answer(exchange, route, request);
  } catch (thrown) {
    const wait = refusalOf(thrown).status < 500 && rate.take(`refused ${peerOf(exchange.incoming).address}`);
    if (wait) return tooMany(wait);
    throw thrown;
  }
}

/** Whether somebody may use a route, and not too often. */
function admit(
  exchange: Exchange,
  route: Route,
  headers: Readonly<Record<string, string>>,
  deps: ServeDeps,
): Refusal | undefined {
  const peer = peerOf(exchange.incoming);
  if (provesItself(route)) return undefined;
  let who = peer.address;
  if (route.access !== 'public' && route.access !== 'signed') {
    const found = deps.authenticator.identify(headers, peer);
    if (isRefusal(found)) {
      deps.refusedToken();
      // In a book of its own: what is refused takes nothing from those who share the address.
      const wait = deps.rate.take(`refused ${peer.address}`);
      return wait ? tooMany(wait) : found;
    }
    const { principal, session } = found;
    exchange.principal = principal;
    exchange.session = session;
    const refused = unprotected(found, exchange.incoming.method ?? 'GET', headers);
    if (refused) return refused;
    if (!mayUse(principal, route.access)) return forbidden(principal.role);
    if (asksPerson(route) && !principal.person) return unproven;
    if (asksPerson(route) && deps.fromCommand(peer)) return commanded;
    who = `${principal.channel} ${principal.user}`;
  }
  const wait = deps.rate.take(who);
  return wait ? tooMany(wait) : undefined;
}

const peerOf = ({ socket }: IncomingMessage): Peer => ({
  address: addressKey(socket.remoteAddress),
  port: socket.localPort ?? 0,
  from: socket.remotePort ?? 0,
});

const TOO_MANY = 429;
const BUSY_MS = 1_000;

const tooMany = (wait: number): Refusal => ({
  status: TOO_MANY,
  code: 'http.too_many_requests',
  detail: 'Too many requests.',
  headers: retryAfter(wait),
});

const forbidden = (role: string): Refusal => ({
  status: 403,
  code: 'input.forbidden',
  detail: `The role '${role}' may not do this.`,
});

/** What lies in the home can be read by whatever runs as its owner. */
const unproven: Refusal = {
  status: 403,
  code: 'input.forbidden',
  detail:
    'Only a person can do this: a token that lies in the home, or a session that began with it, does not show one.',
  hint: 'Sign in with the link that `hermes console` prints at a terminal, or with a token of your own (`hermes users add`).',
};
export const commanded: Refusal = {
  status: 403,
  code: 'input.forbidden',
  detail: 'Only a person can do this, and this comes from a command that Hermes ran.',
};

const badRequest = (detail: string): Refusal => ({ status: 400, code: 'http.bad_request', detail });

function notServed(matched: Exclude<RouteMatch, { found: 'route' }>, method: string): Response | Refusal {
  if (matched.found === 'nothing')
    return { status: 404, code: 'input.not_found', detail: 'There is nothing here.' };
  if (matched.found === 'bad_path') return badRequest(matched.why);
  const headers = { allow: matched.allow };
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers });
  return { status: 405, code: 'http.method_not_allowed', detail: `This takes ${matched.allow}.`, headers };
}

/** We are no proxy, have no sockets for pages, and one request has one host. */
function badTarget({ url, rawHeaders, headers }: IncomingMessage): Refusal | undefined {
  if (!url?.startsWith('/')) return badRequest('The target of the request is not a path.');
  if (/websocket/i.test(headers.upgrade ?? '')) return badRequest('There are no WebSockets here.');
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length > 1 ? badRequest('The request names more than one host.') : undefined;
}

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

const wantsEvents = (headers: Readonly<Record<string, string>>): boolean =>
  headers['accept']?.includes('text/event-stream') ?? false;
