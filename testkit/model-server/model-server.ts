import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import type { ProtocolId } from '#spec/data';
import { apiKeyOf } from './api-key.ts';
import { createCacheSimulator } from './cache-simulator.ts';
import { decideResponse } from './decide-response.ts';
import type { FaultSpec } from './fault-spec.ts';
import { createFaultPlan, parseFault } from './faults.ts';
import { checkScript } from './load-script.ts';
import { createMatcher } from './match-rule.ts';
import { answerProbe } from './probes.ts';
import { anthropicMessages } from './protocols/anthropic-messages.ts';
import { bedrockConverse } from './protocols/bedrock-converse.ts';
import { chatCompletions } from './protocols/chat-completions.ts';
import { codexResponses } from './protocols/codex-responses.ts';
import { asRecord } from './read-json.ts';
import type { Script } from './script.ts';
import { createSeals } from './seals.ts';
import { sendResponse } from './send-response.ts';
import type { Route, WireProtocol } from './wire-protocol.ts';

const PROTOCOLS: readonly WireProtocol[] = [
  chatCompletions,
  codexResponses,
  anthropicMessages,
  bedrockConverse,
];

const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** A request as it came in. `key` is what the client proved itself with; it is in no log line. */
export interface RecordedRequest {
  readonly protocol: ProtocolId;
  readonly path: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: number;
  /** The client left before the response was whole. */
  readonly aborted: boolean;
}

export interface ModelServerOptions {
  readonly script?: Script;
  readonly port?: number;
  readonly log?: (line: string) => void;
}

export interface ModelServer {
  /** The base of Bedrock; `/v1` below it is the base of the others. */
  readonly url: string;
  /** In order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Replaces the faults that strike requests before the script has its say. */
  plan(faults: readonly FaultSpec[]): void;
  /** Replaces the script and begins it anew. */
  script(script: Script): void;
  /** Forgets requests, plan, caches and what of the script was used. Signatures stay valid. */
  reset(): void;
  /** Ends every connection, stalled ones too. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function findProtocol(path: string): { protocol: WireProtocol; route: Route } | undefined {
  for (const protocol of PROTOCOLS) {
    const route = protocol.route(path);
    if (route) return { protocol, route };
  }
  return undefined;
}

/** Everything that lasts longer than a request. */
function createState(script: Script, log: (line: string) => void) {
  return {
    script,
    matcher: createMatcher(script),
    plan: createFaultPlan([]),
    cache: createCacheSimulator(),
    seals: createSeals(),
    requests: [] as { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] }[],
    closing: new AbortController(),
    log,
  };
}

type State = ReturnType<typeof createState>;

function refuseBody(
  response: ServerResponse,
  protocol: WireProtocol,
  requestId: string,
  large: boolean,
): void {
  const blank = { model: '', requestId, tokens: 0, window: 0 };
  const message = 'We could not parse the JSON body of your request.';
  const { status, headers, body } = protocol.failure(
    large ? { kind: 'too_large', ...blank } : { kind: 'invalid', ...blank, message },
  );
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.setHeader('connection', 'close');
  sendJson(response, status, body);
}

async function serveModel(
  state: State,
  incoming: IncomingMessage,
  response: ServerResponse,
  found: { protocol: WireProtocol; route: Route },
  text: string | undefined,
): Promise<void> {
  const { protocol, route } = found;
  const { headers } = incoming;
  const path = incoming.url ?? '/';
  const requestId = protocol.newRequestId();
  response.setHeader(protocol.requestIdHeader, requestId);
  const json = text === undefined ? undefined : parsedBody(text);
  const body = asRecord(json);
  const request = protocol.normalise(body, route);
  const key = apiKeyOf(headers);
  const record = {
    protocol: protocol.id,
    path,
    model: request.model,
    key,
    headers,
    body,
    at: Date.now(),
    aborted: false,
  };
  state.requests.push(record);
  if (json === undefined) return refuseBody(response, protocol, requestId, text === undefined);
  const header = headers['x-testkit-fault'];
  const fault = typeof header === 'string' ? parseFault(header) : state.plan.next(key);
  const { script, matcher, cache, seals, closing } = state;
  const decision = decideResponse({
    protocol,
    request,
    requestId,
    key,
    fault,
    script,
    matcher,
    cache,
    seals,
  });
  state.log(`${protocol.id} ${path.split('?')[0]} model=${request.model}: ${decision.said}`);
  for (const [name, value] of Object.entries(decision.headers)) response.setHeader(name, value);
  const { outgoing } = decision;
  const ours = outgoing.kind === 'frames' && outgoing.fault?.kind === 'cut';
  response.once('close', () => {
    record.aborted = !response.writableFinished && !ours && !closing.signal.aborted;
  });
  if (decision.waitMs > 0 && !(await sleep(decision.waitMs, closing.signal))) return;
  await sendResponse(response, outgoing, closing.signal);
}

async function serve(state: State, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = incoming.method ?? 'GET';
  const path = (incoming.url ?? '/').split('?')[0] as string;
  const text = await readBody(incoming);
  const found = method === 'POST' ? findProtocol(path) : undefined;
  if (found) return serveModel(state, incoming, response, found, text);
  const anthropic = incoming.headers['anthropic-version'] !== undefined;
  const probe = { method, path, body: parsedBody(text || 'null'), anthropic };
  const { keys, models } = state.script;
  const answer = answerProbe(probe, models, keys, apiKeyOf(incoming.headers));
  state.log(`${method} ${path}: ${answer ? 'probe' : 'not served'}`);
  const message = `${method} ${path} is not served here`;
  sendJson(response, answer?.status ?? 404, answer?.body ?? { error: { message, type: 'not_found_error' } });
}

/** A mistake in a fault header is the caller's; anything else is a defect and says so. */
function sendMistake(state: State, response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  const message = error instanceof Error ? error.message : String(error);
  const theirs = error instanceof AppError;
  state.log(`${theirs ? 'refused' : 'failed'}: ${message}`);
  if (response.headersSent) response.destroy();
  else sendJson(response, theirs ? 400 : 500, { error: { message, type: 'testkit_error' } });
}

/** Starts a server on the loopback interface that plays a script over four wire protocols. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state = createState(checkScript(options.script ?? { rules: [] }), options.log ?? (() => undefined));
  const server = createServer((incoming, response) => {
    serve(state, incoming, response).catch((error: unknown) => sendMistake(state, response, error));
  });
  /** Long enough that no idle client of a test meets a connection that is just being closed. */
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      state.closing.abort();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    plan(faults) {
      state.plan = createFaultPlan(faults);
    },
    script(next) {
      state.script = checkScript(next);
      state.matcher = createMatcher(state.script);
    },
    reset() {
      state.requests.length = 0;
      state.plan = createFaultPlan([]);
      state.cache.clear();
      state.matcher = createMatcher(state.script);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
