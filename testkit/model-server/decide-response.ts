import { buildAnswer } from './build-answer.ts';
import type { CacheSimulator } from './cache-simulator.ts';
import type { FaultKind, FaultSpec } from './fault-spec.ts';
import { type Frame, jsonFraming } from './framing.ts';
import type { Match, Matcher } from './match-rule.ts';
import type { Script } from './script.ts';
import type { Seals } from './seals.ts';
import type { Outgoing } from './send-response.ts';
import type { Failure, FailureKind, NormalRequest, Refusal, WireProtocol } from './wire-protocol.ts';

/** One request, and everything that has a say in what it gets. */
export interface Exchange {
  readonly protocol: WireProtocol;
  readonly request: NormalRequest;
  readonly requestId: string;
  readonly key: string | undefined;
  /** From the request's header or the server's plan; it comes before anything a rule says. */
  readonly fault: FaultSpec | undefined;
  readonly script: Script;
  readonly matcher: Matcher;
  readonly cache: CacheSimulator;
  readonly seals: Seals;
}

export interface Decision {
  readonly outgoing: Outgoing;
  readonly headers: Readonly<Record<string, string>>;
  /** For the log. */
  readonly said: string;
}

/** A window for models that have none, for the wording of an overflow. */
const USUAL_WINDOW = 200_000;

const FAILURES: Partial<Record<FaultKind, FailureKind>> = {
  rate_limit: 'rate_limit',
  rate_limit_bare: 'rate_limit',
  server_error: 'server_error',
  overloaded: 'overloaded',
  auth: 'auth',
  billing: 'billing',
  forbidden: 'forbidden',
  not_found: 'not_found',
  context_overflow: 'context_overflow',
  too_large: 'too_large',
  content_filter: 'content_filter',
};

const PAGE =
  '<!doctype html>\n<html><head><title>Sign in</title></head><body><h1>Network sign-in</h1></body></html>\n';

const promptTokens = ({ pieces }: NormalRequest) => pieces.reduce((sum, piece) => sum + piece.tokens, 0);

const windowOf = ({ script, request }: Exchange) =>
  script.models?.find((model) => model.id === request.model)?.contextWindow;

function failureOf(exchange: Exchange, kind: FailureKind, own: Partial<Refusal> = {}): Failure {
  const window = windowOf(exchange) ?? USUAL_WINDOW;
  const tokens = Math.max(promptTokens(exchange.request), kind === 'context_overflow' ? window + 1 : 0);
  return { kind, model: exchange.request.model, requestId: exchange.requestId, tokens, window, ...own };
}

function fails(
  exchange: Exchange,
  kind: FailureKind,
  own: Partial<Refusal> = {},
  headers: Readonly<Record<string, string>> = {},
): Decision {
  const { status, body, headers: vendor } = exchange.protocol.failure(failureOf(exchange, kind, own));
  return {
    outgoing: { kind: 'body', status, type: 'application/json', text: JSON.stringify(body) },
    headers: { ...vendor, ...headers },
    said: `${status} ${kind}`,
  };
}

function rateHint(protocol: WireProtocol, fault: FaultSpec): Readonly<Record<string, string>> {
  const seconds = fault.retryAfter ?? 1;
  switch (fault.hint ?? 'seconds') {
    case 'seconds':
      return { 'retry-after': String(seconds) };
    case 'milliseconds':
      return { 'retry-after-ms': String(seconds * 1000) };
    case 'date':
      return { 'retry-after': new Date(Date.now() + seconds * 1000).toUTCString() };
    case 'reset':
      return protocol.resetHeader(seconds);
    case 'message':
      return {};
  }
}

function failsAsAsked(exchange: Exchange, fault: FaultSpec, kind: FailureKind): Decision {
  const own: { status?: number; message?: string } = {};
  if (fault.status !== undefined) own.status = fault.status;
  if (fault.kind !== 'rate_limit') return fails(exchange, kind, own);
  if (fault.hint === 'message') {
    own.message = `Rate limit reached. Please try again in ${fault.retryAfter ?? 1}s.`;
  }
  return fails(exchange, kind, own, rateHint(exchange.protocol, fault));
}

/** A fault that leaves no room for an answer. */
function withoutAnswer(exchange: Exchange, fault: FaultSpec): Decision | undefined {
  const failure = FAILURES[fault.kind];
  if (failure) return failsAsAsked(exchange, fault, failure);
  if (fault.kind === 'stall_headers') {
    return { outgoing: { kind: 'silence' }, headers: {}, said: fault.kind };
  }
  if (fault.kind === 'bad_type') {
    const outgoing = { kind: 'body', status: 200, type: 'text/html; charset=utf-8', text: PAGE } as const;
    return { outgoing, headers: {}, said: fault.kind };
  }
  if (fault.kind === 'error_in_stream' && !exchange.request.stream) {
    return fails(exchange, fault.error ?? 'overloaded');
  }
  return undefined;
}

/** What the vendor would not take, whatever the script says. */
function refused(exchange: Exchange): Decision | undefined {
  const { script, key, protocol, request, seals } = exchange;
  if (script.keys && !(key !== undefined && script.keys.includes(key))) return fails(exchange, 'auth');
  const refusal = protocol.refuse(request, seals);
  if (refusal) return fails(exchange, 'invalid', refusal);
  const window = windowOf(exchange);
  if (window !== undefined && promptTokens(request) > window) return fails(exchange, 'context_overflow');
  return undefined;
}

function answered(exchange: Exchange, match: Match, fault: FaultSpec | undefined): Decision {
  const { protocol, request, key, cache, seals } = exchange;
  const owner = JSON.stringify([request.model, request.cacheKey ?? key ?? '']);
  const counts = cache.count(owner, request.pieces, protocol.caching);
  const answer = buildAnswer(match.reply, counts, protocol.callIdPrefix, seals);
  const frames: readonly Frame[] = request.stream
    ? protocol.frames(answer, request)
    : [{ event: '', data: protocol.whole(answer, request), final: true }];
  const kind = fault?.error ?? 'overloaded';
  return {
    outgoing: {
      kind: 'frames',
      framing: request.stream ? protocol.framing : jsonFraming,
      frames,
      delayMs: answer.delayMs,
      ...(fault ? { fault } : {}),
      failed: (sent) => protocol.streamFailure(failureOf(exchange, kind), sent, fault?.plain === true),
    },
    headers: {},
    said: [match.rule === undefined ? 'fallback' : `rule ${match.rule}`, fault?.kind]
      .filter(Boolean)
      .join(', '),
  };
}

const HARMLESS: readonly FaultKind[] = ['none', 'slow_first_byte', 'dribble'];
const leavesWhole = (fault: FaultSpec | undefined) => fault === undefined || HARMLESS.includes(fault.kind);

/**
 * Decides what a request gets. A reply counts as used only when it goes out whole, so that a client that tries
 * again gets the reply it missed.
 */
export function decideResponse(exchange: Exchange): Decision & { readonly waitMs: number } {
  const { request, matcher, key } = exchange;
  const given = exchange.fault;
  const waits = (fault: FaultSpec | undefined, decision: Decision) => ({
    ...decision,
    waitMs: fault?.kind === 'slow_first_byte' ? (fault.ms ?? 0) : 0,
  });
  const early = (given && withoutAnswer(exchange, given)) ?? refused(exchange);
  if (early) return waits(given, early);
  const match = matcher.match(request);
  const fault = given ?? matcher.strike(match, key);
  if (leavesWhole(given)) matcher.use(match, leavesWhole(fault));
  return waits(fault, (fault && withoutAnswer(exchange, fault)) ?? answered(exchange, match, fault));
}
