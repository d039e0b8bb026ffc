import { toErrorRecord } from '#kit/app-error';
import { eventStream } from '#kit/event-stream';
import type { ErrorRecord, ModelEvent, ModelInfo, ModelOutcome, ModelRequest, NextStep } from '#spec/data';
import type { Credential, CredentialBook, Model } from '#spec/ports';
import { type Pool, type PoolStrategy, recordUse, soonestRested, usable } from './credential-pool.ts';
import { type Decision, nextStep } from './next-step.ts';

/** A model that can be asked, and the keys it may be asked with; none are needed where the list is empty. */
export interface Candidate {
  readonly info: ModelInfo;
  readonly credentials: readonly Credential[];
  readonly strategy: PoolStrategy;
  open(credential: Credential | undefined): Model;
}

export interface RouteOptions {
  /** The primary, then what stands in for it, in order. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly book: CredentialBook;
  readonly maxRetries: number;
  readonly now: () => number;
  readonly random: () => number;
  /** Resolves to false when the signal aborted first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<boolean>;
}

/**
 * A model for one turn. It starts at the primary, survives passing faults, bad keys and dead providers by
 * retrying, rotating and failing over, and stays where it ended up until the turn is over.
 */
export function openTurn(options: RouteOptions): Model {
  const place = { candidate: 0 };
  return {
    get info() {
      return current(options, place).info;
    },
    stream: (request, signal) =>
      eventStream<ModelEvent, ModelOutcome>(async (emit) => {
        const outcome = await callThrough(options, place, request, signal, emit).catch((thrown: unknown) =>
          broken(current(options, place).info, thrown),
        );
        emit({ type: 'response.end', ...outcome });
        return outcome;
      }),
  };
}

/** What is left to say when the route itself fails, such as on a book of keys that cannot be read. */
function broken({ provider, model, protocol }: ModelInfo, thrown: unknown): ModelOutcome {
  return {
    status: 'failed',
    error: toErrorRecord(thrown),
    message: { role: 'assistant', content: [], origin: { provider, model, protocol } },
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  };
}

interface Place {
  candidate: number;
}

const current = ({ candidates }: RouteOptions, place: Place): Candidate =>
  candidates[place.candidate] ?? candidates[0];

async function callThrough(
  options: RouteOptions,
  place: Place,
  request: ModelRequest,
  signal: AbortSignal,
  emit: (event: ModelEvent) => void,
): Promise<ModelOutcome> {
  let asked = request;
  let tried = new Set<string>();
  /** The key that was named as the next one; a strategy may put another first by now. */
  let next: Credential | undefined;
  let retries = 0;
  let attempt = 0;
  const failures: ErrorRecord[] = [];

  for (;;) {
    const candidate = current(options, place);
    const pool = poolOf(options, candidate);
    const hasNext = place.candidate + 1 < options.candidates.length;
    const ready = await usable(pool, tried);
    if (!ready.length && candidate.credentials.length && hasNext) {
      place.candidate++;
      [tried, retries] = [new Set(), 0];
      continue;
    }
    const named = ready.find(({ id }) => id === next?.id);
    const credential = named ?? ready[0] ?? (await soonestRested(pool, tried));
    const [other] = ready.filter(({ id }) => id !== credential?.id);
    attempt++;
    const { outcome, shown } = await attemptOnce(candidate, credential, asked, signal, emit);
    const error = outcome.status === 'failed' ? outcome.error : undefined;
    if (!error) {
      if (credential) await recordUse(pool, credential);
      return outcome;
    }

    failures.push(error);
    const decision = nextStep(error, {
      shown,
      retries,
      maxRetries: options.maxRetries,
      otherCredential: other !== undefined,
      otherCandidate: hasNext,
      replaysThinking: asked === request && carriesReplay(request),
      random: options.random,
    });
    // A key that is about to be tried again does not rest yet.
    const again = decision.kind === 'retry' || decision.kind === 'retry_plain';
    if (credential) await recordUse(pool, credential, again ? undefined : error);
    emit({ type: 'attempt.failed', error, attempt, next: described(decision, options, place, other) });

    switch (decision.kind) {
      case 'stop':
        return { ...outcome, status: 'failed', error: withHistory(error, failures) };
      case 'retry':
        if (!(await options.sleep(decision.afterMs, signal))) {
          return { message: outcome.message, usage: outcome.usage, status: 'aborted' };
        }
        next = credential;
        retries++;
        break;
      case 'retry_plain':
        next = credential;
        asked = withoutReplay(request);
        break;
      case 'rotate':
        if (credential) tried.add(credential.id);
        next = other;
        retries = 0;
        break;
      case 'failover':
        place.candidate++;
        [tried, retries] = [new Set(), 0];
        break;
    }
  }
}

/** Passes the events of one attempt on. `response.start` waits until there is something to show for it. */
async function attemptOnce(
  candidate: Candidate,
  credential: Credential | undefined,
  request: ModelRequest,
  signal: AbortSignal,
  emit: (event: ModelEvent) => void,
): Promise<{ outcome: ModelOutcome; shown: boolean }> {
  const stream = candidate.open(credential).stream(request, signal);
  let start: ModelEvent | undefined;
  let shown = false;
  const begin = () => {
    if (start) emit(start);
    start = undefined;
  };
  for await (const event of stream) {
    if (event.type === 'response.start') start = event;
    else if (event.type !== 'response.end') {
      begin();
      shown = true;
      emit(event);
    }
  }
  const outcome = await stream.result();
  if (outcome.status === 'done') begin();
  return { outcome, shown };
}

function poolOf({ book, now, random }: RouteOptions, candidate: Candidate): Pool {
  const { credentials, strategy, info } = candidate;
  return { provider: info.provider, credentials, strategy, book, now, random };
}

function described(
  decision: Decision,
  options: RouteOptions,
  place: Place,
  other: Credential | undefined,
): NextStep {
  switch (decision.kind) {
    case 'retry':
      return decision;
    case 'retry_plain':
      return { kind: 'retry', afterMs: 0 };
    case 'rotate':
      return { kind: 'rotate', credential: other?.label ?? '' };
    case 'failover': {
      const { provider, model } = current(options, { candidate: place.candidate + 1 }).info;
      return { kind: 'failover', provider, model };
    }
    case 'stop':
      return decision;
  }
}

/** The last error, with all that went before it, each with who raised it. */
function withHistory(error: ErrorRecord, failures: readonly ErrorRecord[]): ErrorRecord {
  if (failures.length < 2) return error;
  const attempts = failures.map(({ code, message, source }) => ({
    code,
    message,
    provider: source?.provider ?? '',
    model: source?.model ?? '',
    credential: source?.credential ?? '',
  }));
  return { ...error, details: { ...error.details, attempts } };
}

function carriesReplay({ messages }: ModelRequest): boolean {
  return messages.some(
    (message) =>
      message.role === 'assistant' && message.content.some((part) => part.type === 'thinking' && part.replay),
  );
}

/** The same request without thinking that a vendor no longer accepts. */
function withoutReplay(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, content: message.content.filter((part) => part.type !== 'thinking') }
      : message,
  );
  return { ...request, messages };
}
