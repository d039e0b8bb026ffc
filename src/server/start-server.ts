import type { KnownSecrets } from '#kit/redact';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail } from '#kit/app-error';
import { newId } from '#kit/new-id';
import { sleep } from '#kit/sleep';
import { steadyClock } from '#kit/steady-clock';
import type { Logger, Route, Tracer } from '#spec/ports';
import { accessLog } from './access-log.ts';
import { openAuthenticator, type Peer } from './authenticate.ts';
import { type BindAddress, resolveBindAddress, urlHost } from './bind-address.ts';
import { hostGuard } from './guard-host.ts';
import { healthRoutes, type Readiness } from './health-routes.ts';
import { largeBodies } from './large-bodies.ts';
import { openRequests } from './open-requests.ts';
import { openRateLimit, type Rate } from '#kit/rate-limit';
import { routeTable } from './route-table.ts';
import {
  type Exchange,
  type ServeDeps,
  serveRequest,
  type TurnedAway,
  type Written,
} from './serve-request.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import type { EndedSessions } from './sessions.ts';
import { sendStream } from './send-stream.ts';
import { checkAuth, type ServerAuth, tokensOf } from './server-auth.ts';
import { openServerMetrics, type ServerGauge } from './server-metrics.ts';

export interface ServerOptions {
  readonly routes: readonly Route[];
  readonly auth: ServerAuth;
  readonly host: string;
  /** 0 takes one that is free. */
  readonly port: number;
  readonly readiness: () => Promise<Readiness>;
  readonly log?: Logger;
  /** How large a body may be where the route does not say. */
  readonly maxBytes?: number;
  /** How long `close` waits for requests that are being served. */
  readonly drainMs?: number;
  /** Further host names that the server answers to, such as the one of a proxy before it. */
  readonly allowedHosts?: readonly string[];
  /** For each holder of a token, and for each address on routes without one. */
  readonly rate?: Rate;
  /** How long a request may take to arrive, and a connection may be silent. */
  readonly timeouts?: { readonly headersMs?: number; readonly bodyMs?: number; readonly idleMs?: number };
  readonly heartbeatMs?: number;
  /** Told before the answer is sent. Too many requests are not told. */
  readonly onTurnedAway?: (told: TurnedAway) => Promise<void>;
  /** Told after something was asked to change, by somebody who may. */
  readonly onWritten?: (told: Written) => Promise<void>;
  /** Told of everything that broke on this side. */
  readonly onBroken?: (thrown: unknown) => void;
  /** What is served to paths that no route has. */
  readonly pages?: ServeDeps['pages'];
  readonly endedSessions?: EndedSessions;
  /** What is known of the process at the other end of a connection; nothing unless said otherwise. */
  readonly peers?: PeerKnowledge;
  /** More numbers for `/metrics`. */
  readonly gauges?: readonly ServerGauge[];
  /** For spans of requests. */
  readonly tracer?: Tracer | undefined;
  /** More of what must be in no refusal and no line of the log, besides the tokens. */
  readonly secrets?: KnownSecrets;
  readonly now?: () => number;
}

export interface PeerKnowledge {
  /** It comes from a command that Hermes ran. */
  fromCommand(peer: Peer): boolean;
  /** It is a process of this machine, and a person's terminal stands behind it. */
  atTerminal(peer: Peer): boolean;
}
const NOTHING_KNOWN: PeerKnowledge = { fromCommand: () => false, atTerminal: () => false };

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** All that it answers to. */
  readonly routes: readonly Route[];
  /** A word that signs the owner in to the console, once. For the eyes of a person. */
  newCode(): string;
  /** Takes no more requests, ends streams, lets the others end, and then cuts what is left. */
  close(): Promise<void>;
}

const MAX_BYTES = 1024 * 1024;
const DRAIN_MS = 10_000;
const HEARTBEAT_MS = 15_000;
const READINESS_MS = 5_000;
const RATE: Rate = { perSecond: 200, burst: 2_000 };
const TIMEOUTS = { headersMs: 10_000, bodyMs: 30_000, idleMs: 120_000 };
const MOST_CONNECTIONS = 2_000;

/** Listens, or throws an `AppError` that says why it does not. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { auth, log, now = Date.now, drainMs = DRAIN_MS } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const bind = await resolveBindAddress(options.host);
  checkAuth(auth, bind);
  const secrets = [...tokensOf(auth), ...(options.secrets ?? [])];
  const open = openRequests(now);
  const metrics = openServerMetrics(open, options.gauges ?? []);
  // Sessions and limits are about how long something lasts: a clock that is set back must not lengthen them.
  const steady = options.now ?? steadyClock();
  const authenticator = openAuthenticator(auth, steady, options.endedSessions);
  const written = options.onWritten ?? (() => Promise.resolve());
  const peers = options.peers ?? NOTHING_KNOWN;
  const session = sessionRoutes(
    authenticator,
    peers,
    ({ principal, session: own }, { method, path, peer }, status) => {
      // Whoever has signed out hears nothing any more.
      if (method === 'DELETE' && own) open.endStreams(own.family);
      return written({ method, path, status, principal, address: peer?.address ?? '', session: true });
    },
  );
  const broken = options.onBroken ?? (() => undefined);
  let draining = false;
  const health = healthRoutes({
    readiness: options.readiness,
    readinessMs: READINESS_MS,
    draining: () => draining,
    metrics,
  });
  const routes = [...health, ...session, ...options.routes];
  const deps: ServeDeps = {
    match: routeTable(routes),
    guardHost: hostGuard(bind, options.allowedHosts ?? []),
    authenticator,
    fromCommand: peers.fromCommand,
    rate: openRateLimit(options.rate ?? RATE, steady),
    large: largeBodies(),
    maxBytes: options.maxBytes ?? MAX_BYTES,
    bodyMs: timeouts.bodyMs,
    secrets,
    refusedToken: metrics.refusedToken,
    broken,
    turnedAway: options.onTurnedAway ?? (() => Promise.resolve()),
    written,
    pages: options.pages ?? (() => Promise.resolve(undefined)),
    draining: () => draining,
    tracer: options.tracer,
  };
  const finished = accessLog({ log, metrics, secrets });
  const heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const exchange: Exchange = { id: newId('req'), incoming, outgoing, open: open.begin() };
    finished(exchange);
    const response = await serveRequest(exchange, deps);
    if (!exchange.stream || incoming.method === 'HEAD') return sendWhole(response, outgoing);
    await sendExchange(exchange, exchange.stream, response, heartbeatMs);
    if (exchange.thrown !== undefined) broken(exchange.thrown);
  };
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.headersMs + timeouts.bodyMs,
      // Node looks only this often whether one of the two is over.
      connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
    },
    (incoming, outgoing) =>
      void serve(incoming, outgoing).catch((thrown: unknown) => {
        broken(thrown);
        if (!outgoing.headersSent) outgoing.writeHead(500);
        outgoing.end();
      }),
  );
  server.timeout = timeouts.idleMs;
  server.maxConnections = MOST_CONNECTIONS;
  const port = await listen(server, bind, options.port);
  const url = `http://${urlHost(bind.host)}:${port}`;
  log?.info('server.started', { url });

  const shutDown = async (): Promise<void> => {
    draining = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    open.endStreams();
    const served = new AbortController();
    await Promise.race([open.none(), sleep(drainMs, served.signal)]);
    served.abort();
    open.abortAll();
    server.closeAllConnections();
    await closed;
    log?.info('server.stopped', { url });
  };
  let closing: Promise<void> | undefined;
  return { url, port, routes, newCode: authenticator.newCode, close: () => (closing ??= shutDown()) };
}

async function sendWhole(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
}

async function sendExchange(
  exchange: Exchange,
  stream: AsyncIterable<string | Uint8Array>,
  response: Response,
  heartbeatMs: number,
): Promise<void> {
  const { outgoing, open } = exchange;
  const events = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  await sendStream(response, stream, outgoing, {
    signal: open.signal,
    ...(events ? { heartbeatMs } : {}),
    onBroken: (thrown) => {
      exchange.thrown = thrown;
      // Cut, not ended: half an answer must not look like a whole one.
      outgoing.destroy();
    },
  });
}

async function listen(server: Server, bind: BindAddress, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, bind.ip, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((cause: NodeJS.ErrnoException) => {
    const why = LISTEN_ERRORS[cause.code ?? ''] ?? cause.message;
    throw fail(
      'input.conflict',
      `Port ${port} of ${bind.host}: ${why}.`,
      'Choose another one with --port.',
      cause,
    );
  });
  return (server.address() as AddressInfo).port;
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine does not have that address',
};
