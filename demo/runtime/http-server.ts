import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeployedService } from '#kit/deploy-registry';
import { isRecord } from '#kit/is-record';
import type { Meter } from '../telemetry/instruments.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Replica } from '../system/replicas.ts';
import type { Span, Tracer } from '../telemetry/tracer.ts';
import { Refused } from './refused.ts';

export interface ServedRequest {
  readonly params: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  /** Who asks, as the caller says. */
  readonly client: string;
  readonly span: Span;
  /** The release that serves this request. */
  readonly version: string;
}

interface ServedAnswer {
  readonly status: number;
  readonly body: object;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly route: string;
  readonly path: RegExp;
  handle(request: ServedRequest): Promise<ServedAnswer>;
}

export interface HttpServerOptions {
  readonly endpoints: readonly Endpoint[];
  readonly meter: Meter;
  readonly tracer: Tracer;
  readonly logger: Logger;
  readonly state: () => DeployedService;
  /** The replica that serves the next request. */
  pickReplica(): Replica;
  /** May hold up or refuse a request before it is looked at. */
  admit(client: string, replica: Replica, span: Span): Promise<void>;
}

export interface RunningServer {
  readonly port: number;
  /** Takes nothing new and resolves when what was begun is answered. */
  close(): Promise<void>;
}

const MOST_BODY = 64_000;
/** Requests that one replica serves at a time. */
const IN_FLIGHT_PER_REPLICA = 60;

/** Serves on 127.0.0.1. Where the port is taken, another one is used. */
export async function startHttpServer(options: HttpServerOptions, port: number): Promise<RunningServer> {
  const serve = createServe(options);
  const server = createServer((request, response) => {
    void (request.url === '/metrics' ? scrape(options.meter, response) : serve(request, response));
  });
  server.keepAliveTimeout = 1_000;
  await listen(server, port).catch(() => listen(server, 0));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** On Linux the old and the new process of a rolling restart may listen at the same time. */
const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    const reusePort = process.platform === 'linux' && port !== 0;
    server.listen({ port, host: '127.0.0.1', reusePort }, () => {
      server.off('error', reject);
      resolve();
    });
  });

async function scrape(meter: Meter, response: ServerResponse): Promise<void> {
  const text = await meter.registry.metrics();
  response.writeHead(200, { 'content-type': meter.registry.contentType }).end(text);
}

function createServe(options: HttpServerOptions) {
  const { endpoints, meter, tracer, logger, state } = options;
  let active = 0;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const began = performance.now();
    const { method = 'GET', url = '/' } = request;
    const { endpoint, params } = findEndpoint(endpoints, method, url);
    const route = endpoint?.route ?? 'unknown';
    const version = pickVersion(state());
    const replica = options.pickReplica();
    const served = {
      'service.version': version,
      'k8s.pod.name': replica.pod,
      'k8s.node.name': replica.node,
    };
    const span = tracer.serve(`${method} ${route}`, header(request, 'traceparent'), {
      'http.request.method': method,
      'http.route': route,
      'url.path': url,
      ...served,
    });
    meter.measure('active', ++active);
    const client = header(request, 'x-client') ?? 'unknown';
    let answer: ServedAnswer;
    let problem: Refused | undefined;
    try {
      if (!endpoint) throw new Refused(404, `there is no ${method} ${url}`);
      const most = Math.max(1, state().replicas) * IN_FLIGHT_PER_REPLICA;
      if (active > most) throw new Refused(503, `overloaded: ${active} requests in flight, ${most} at most`);
      await options.admit(client, replica, span);
      answer = await endpoint.handle({ params, body: await readBody(request), client, span, version });
    } catch (error) {
      problem = error instanceof Refused ? error : new Refused(500, String(error), 'internal');
      answer = { status: problem.status, body: { error: problem.message } };
    }
    meter.measure('active', --active);
    const ms = performance.now() - began;
    const { status } = answer;
    span.set({ 'http.response.status_code': status });
    // What the caller did wrong is no failure of the server.
    span.end(status >= 500 ? (problem?.message ?? `answered ${status}`) : undefined);
    const error = problem?.kind ?? '';
    meter.measure('served', ms / 1000, { version, method, route, code: status, error, ...replica });
    const line = `${method} ${route} ${status} ${ms.toFixed(0)} ms`;
    const level = problem === undefined ? 'info' : status >= 500 ? 'error' : 'warn';
    logger.log(level, problem ? `${line}: ${problem.message}` : line, span, {
      'http.response.status_code': status,
      ...served,
    });
    send(response, answer);
  };
}

function findEndpoint(
  endpoints: readonly Endpoint[],
  method: string,
  url: string,
): { endpoint?: Endpoint; params: string[] } {
  for (const endpoint of endpoints) {
    const match = endpoint.method === method ? endpoint.path.exec(url) : null;
    if (match) return { endpoint, params: match.slice(1).map(decodeURIComponent) };
  }
  return { params: [] };
}

/** The canary serves its share of the requests. */
const pickVersion = ({ version, canary }: DeployedService): string =>
  canary && Math.random() * 100 < canary.weight ? canary.version : version;

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MOST_BODY) throw new Refused(413, 'the body is too large');
  }
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isRecord(body)) return body;
  } catch {
    throw new Refused(400, 'the body is not JSON');
  }
  throw new Refused(400, 'the body is not a JSON object');
}

function send(response: ServerResponse, { status, body }: ServedAnswer): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(status === 429 ? { 'retry-after': '1' } : {}),
  });
  response.end(text);
}
