import { eventStream } from '#kit/event-stream';
import type {
  AssistantMessage,
  ErrorCode,
  ErrorRecord,
  ModelEvent,
  ModelInfo,
  ModelOutcome,
  ModelRequest,
} from '#spec/data';
import type { Credential, CredentialBook, Model } from '#spec/ports';
import { memoryBook } from './memory-book.ts';
import { type Candidate, openTurn, type RouteOptions } from '../../../../src/engines/models/route.ts';

/** Models that answer by a script, for the tests of routes: everything in memory, time moved by hand. */

/** What a model does when it is asked: say a text, fail (after showing a text, if one is given), or be aborted. */
type Step = string | { fail: ErrorCode; afterMs?: number; shows?: string };

const key = (id: string): Credential => ({ id, label: id.toUpperCase(), secret: `secret-${id}` });

export const request = (messages: ModelRequest['messages'] = []): ModelRequest => ({
  system: [],
  messages,
  tools: [],
});

const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const PASSING = new Set<ErrorCode>([
  'model.rate_limited',
  'model.server',
  'model.overloaded',
  'model.network',
]);

interface Scripted extends Candidate {
  /** Who was asked with what, in order. */
  readonly calls: { key: string | undefined; request: ModelRequest }[];
}

/** A candidate whose models follow `steps` across all of its keys, then answer `provider`. */
export function scripted(
  provider: string,
  steps: Step[],
  keys: readonly string[] = [],
  more: Partial<Candidate> = {},
): Scripted {
  const info: ModelInfo = {
    provider,
    model: `${provider}-1`,
    protocol: 'chat_completions',
    contextWindow: 1_000,
    maxOutput: 100,
    images: false,
    thinking: true,
  };
  const calls: Scripted['calls'] = [];
  const open = (credential: Credential | undefined): Model => ({
    info,
    stream: (asked) => {
      calls.push({ key: credential?.id, request: asked });
      return play(info, credential, steps.shift() ?? provider);
    },
  });
  return { info, credentials: keys.map(key), strategy: 'fill_first', open, calls, ...more };
}

function play({ provider, model, protocol }: ModelInfo, credential: Credential | undefined, step: Step) {
  return eventStream<ModelEvent, ModelOutcome>(async (emit) => {
    const origin = { provider, model, protocol };
    const text = typeof step === 'string' ? (step === 'ABORT' ? undefined : step) : step.shows;
    emit({ type: 'response.start', ...origin });
    if (text) emit({ type: 'text.delta', text });
    const message: AssistantMessage = {
      role: 'assistant',
      content: text ? [{ type: 'text', text }] : [],
      origin,
    };
    const common = { message, usage: USAGE };
    const outcome: ModelOutcome =
      step === 'ABORT'
        ? { ...common, status: 'aborted' }
        : typeof step === 'string'
          ? { ...common, status: 'done', stop: 'end' }
          : { ...common, status: 'failed', error: failure(step, origin, credential) };
    emit({ type: 'response.end', ...outcome });
    return outcome;
  });
}

function failure(
  { fail, afterMs }: { fail: ErrorCode; afterMs?: number },
  { provider, model }: { provider: string; model: string },
  credential: Credential | undefined,
): ErrorRecord {
  return {
    code: fail,
    message: `${provider} says ${fail}`,
    retry: { again: PASSING.has(fail), ...(afterMs === undefined ? {} : { afterMs }) },
    source: { provider, model, ...(credential ? { credential: credential.label } : {}) },
  };
}

/** A route with a clock that only waiting and the test move. */
export function routeOver(
  candidates: readonly [Candidate, ...Candidate[]],
  more: Partial<RouteOptions> = {},
) {
  const clock = { now: 1_000_000 };
  const waits: number[] = [];
  const book: CredentialBook = memoryBook();
  const options: RouteOptions = {
    candidates,
    book,
    maxRetries: 2,
    now: () => clock.now,
    random: () => 0,
    sleep: async (ms, signal) => {
      waits.push(ms);
      clock.now += ms;
      return !signal.aborted;
    },
    ...more,
  };
  return { options, clock, waits, turn: () => openTurn(options) };
}

/** A call as a log: each failure with what was done about it, what was shown, and how it ended. */
export async function run(model: Model, asked = request(), signal = new AbortController().signal) {
  const stream = model.stream(asked, signal);
  const log: string[] = [];
  for await (const event of stream) {
    if (event.type === 'response.start') log.push(`start ${event.provider}`);
    else if (event.type === 'text.delta') log.push(`shows ${event.text}`);
    else if (event.type === 'attempt.failed') {
      const { kind, ...rest } = event.next;
      log.push([event.attempt, event.error.code, kind, ...Object.values(rest)].join(' '));
    } else log.push(event.type === 'response.end' ? event.status : event.type);
  }
  return { log, outcome: await stream.result() };
}
