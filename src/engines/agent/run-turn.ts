import { MEMORY_TAG } from '#kit/memory-fence';
import { tagScrubber } from '#kit/scrub-tag';
import type {
  AgentFacts,
  AgentLive,
  AssistantMessage,
  ErrorRecord,
  FrozenPrefix,
  Message,
  ModelOutcome,
  ModelRequest,
  ToolCallPart,
  ToolMessage,
  Usage,
  UserMessage,
} from '#spec/data';
import type { Model } from '#spec/ports';
import { iterationBudget } from './iteration-budget.ts';
import { loopGuard } from './loop-guard.ts';
import { type BatchDeps, type BatchReport, runToolBatch } from './tool-batch.ts';
import type { ToolSet } from './tool-set.ts';
import { NUDGES } from './nudges.ts';

/** A message as the loop knows it, and what its writer spent on it. */
export interface Added {
  readonly message: Message;
  readonly kind?: 'plain' | 'notice';
  readonly usage?: Usage;
  readonly cost?: number;
}

/** Everything the loop needs of the world. It opens nothing itself. */
export interface TurnDeps {
  readonly model: Model;
  readonly prefix: FrozenPrefix;
  readonly tools: ToolSet;
  readonly settings: Pick<ModelRequest, 'maxOutput' | 'temperature' | 'thinking' | 'cacheTtl' | 'cacheKey'>;
  readonly maxCalls: number;
  /** The conversation so far, as the model is to see it. */
  readonly history: () => readonly Message[];
  /** Stores messages and facts; when it resolves they survive a crash. */
  readonly record: (added: readonly Added[], facts: readonly Recorded[]) => Promise<void>;
  /** Keeps what has been shown of an answer that is not complete yet. */
  readonly draft: (text: string) => void;
  readonly show: <K extends keyof AgentLive>(type: K, data: AgentLive[K]) => void;
  /**
   * False: what the model says between its calls is not shown. Whether a text is the answer is known when it is complete,
   * so that an answer is then shown all at once.
   */
  readonly interim?: boolean;
  readonly permit: BatchDeps['permit'];
  readonly scope: BatchDeps['scope'];
  readonly contextFor: BatchDeps['contextFor'];
  readonly present: BatchDeps['present'];
  readonly clean: BatchDeps['clean'];
  /** Makes room before a call, or after the provider said that there is none. True when it made some. */
  readonly makeRoom: (reason: 'full' | 'overflow') => Promise<boolean>;
  /** What the user said while the turn was running, taken once. */
  readonly takeSteering: () => readonly string[];
}

export type Recorded = {
  [K in keyof AgentFacts]: { readonly type: K; readonly data: AgentFacts[K] };
}[keyof AgentFacts];

export interface TurnOutcome {
  readonly status: 'done' | 'failed' | 'aborted';
  readonly calls: number;
  readonly error?: ErrorRecord;
  /** What was said too late for this turn. */
  readonly leftover: readonly string[];
}

const MOST_CONTINUATIONS = 2;
const MOST_EMPTY = 3;
const MOST_BAD_CALLS = 3;
const MOST_OVERFLOWS = 3;

/**
 * One turn: the model is called, its tools are run, and so on until it answers without asking for any.
 * The user's message is in the history already. Whatever happens, the history is valid for every vendor afterwards.
 */
export async function runTurn(deps: TurnDeps, signal: AbortSignal): Promise<TurnOutcome> {
  const budget = iterationBudget(deps.maxCalls);
  const guard = loopGuard();
  const counts = { continued: 0, empty: 0, bad: 0, overflow: 0, calls: 0 };
  let closing = false;

  const end = (status: TurnOutcome['status'], error?: ErrorRecord): TurnOutcome => ({
    status,
    calls: counts.calls,
    leftover: deps.takeSteering(),
    ...(error ? { error } : {}),
  });

  for (;;) {
    if (signal.aborted) return end('aborted');
    await deps.makeRoom('full');
    if (budget.exhausted && !closing) {
      closing = true;
      await deps.record([notice(NUDGES.budget(budget.limit))], []);
    }
    budget.spend();
    counts.calls++;
    deps.show('budget.update', { used: Math.min(budget.used, budget.limit), limit: budget.limit });
    const outcome = await callModel(deps, signal, closing);

    if (outcome.status === 'aborted') {
      await keepPartial(deps, outcome);
      return end('aborted');
    }
    if (outcome.status === 'failed') {
      const overflowed =
        outcome.error.code === 'model.context_overflow' && counts.overflow++ < MOST_OVERFLOWS;
      if (overflowed && (await deps.makeRoom('overflow'))) {
        budget.refund();
        continue;
      }
      await keepPartial(deps, outcome);
      return end('failed', outcome.error);
    }

    const calls = outcome.message.content.filter((part) => part.type === 'tool_call');
    const text = textOf(outcome.message);
    if (!calls.length && !text.trim()) {
      if (counts.empty++ >= MOST_EMPTY) {
        await recordAnswer(deps, outcome, [{ type: 'text', text: '(empty)' }]);
        return end('done');
      }
      await deps.record([notice(NUDGES.empty)], [usageFact(deps, outcome)]);
      continue;
    }
    counts.empty = 0;

    if (outcome.stop === 'length' && !calls.length && counts.continued++ < MOST_CONTINUATIONS) {
      await recordAnswer(deps, outcome);
      await deps.record([notice(NUDGES.continue)], []);
      continue;
    }
    await recordAnswer(deps, outcome);
    if (!calls.length || closing) {
      if (calls.length) await refuseCalls(deps, calls);
      return end('done');
    }

    if (text.trim() && deps.interim !== false) deps.show('message.interim', { text });
    const report = await runCalls(deps, calls, signal, guard.see);
    if (signal.aborted) return end('aborted');
    if (report.endsTurn) return end('done');
    const bad = report.unknown + report.malformed === calls.length;
    counts.bad = bad ? counts.bad + 1 : 0;
    if ((counts.bad >= MOST_BAD_CALLS || report.circling) && !closing) {
      closing = true;
      await deps.record([notice(report.circling ? NUDGES.circle : NUDGES.badCalls)], []);
    }
  }
}

/** How a call ended and how long it took. */
type TimedOutcome = ModelOutcome & { readonly ms: number; readonly firstMs?: number };

/** Calls the model once. Text goes out scrubbed, and is kept as a draft before it is shown. */
async function callModel(deps: TurnDeps, signal: AbortSignal, closing: boolean): Promise<TimedOutcome> {
  const { prefix, settings, model, show } = deps;
  const request: ModelRequest = {
    ...settings,
    system: prefix.system,
    // Tools stay in a closing call too, or the cached prefix would be lost; the notice asks for none.
    tools: prefix.tools,
    messages: deps.history(),
  };
  const scrubber = tagScrubber(MEMORY_TAG);
  const thoughts = tagScrubber(MEMORY_TAG);
  let shown = '';
  const showText = (text: string) => {
    if (!text) return;
    shown += text;
    deps.draft(shown);
    if (deps.interim !== false) show('text.delta', { text });
  };
  const showThought = (text: string) => {
    if (text) show('thinking.delta', { text });
  };
  const began = performance.now();
  const passed = () => Math.round(performance.now() - began);
  let firstMs: number | undefined;
  const stream = model.stream(request, signal);
  for await (const event of stream) {
    if (!BEFORE_ANSWER.has(event.type)) firstMs ??= passed();
    if (event.type === 'text.delta') showText(scrubber.push(event.text));
    else if (event.type === 'thinking.delta') showThought(thoughts.push(event.text));
    else if (event.type === 'response.end') {
      showThought(thoughts.end());
      showText(scrubber.end());
    } else {
      const { type, ...data } = event;
      show(type, data as never);
    }
  }
  const outcome = await stream.result();
  const isAnswer = closing || outcome.message.content.every(({ type }) => type !== 'tool_call');
  if (deps.interim === false && shown && isAnswer) show('text.delta', { text: shown });
  const timing = { ms: passed(), ...(firstMs === undefined ? {} : { firstMs }) };
  show('response.end', { ...outcome, message: scrubbed(outcome.message, ['text', 'thinking']) });
  // A vendor wants its thinking back exactly as it wrote it.
  return { ...outcome, ...timing, message: scrubbed(outcome.message, ['text']) };
}

/** What is told of a call while no piece of its answer has come. */
const BEFORE_ANSWER: ReadonlySet<string> = new Set(['response.start', 'attempt.failed', 'response.end']);

function scrubbed(
  message: AssistantMessage,
  kinds: readonly AssistantMessage['content'][number]['type'][],
): AssistantMessage {
  const scrubbers = new Map(kinds.map((kind) => [kind, tagScrubber(MEMORY_TAG)]));
  const last = new Map(message.content.map((part, index) => [part.type, index]));
  const content = message.content.map((part, index) => {
    const scrubber = scrubbers.get(part.type);
    if (!scrubber || part.type === 'tool_call') return part;
    return {
      ...part,
      text: scrubber.push(part.text) + (last.get(part.type) === index ? scrubber.end() : ''),
    };
  });
  return { ...message, content };
}

async function recordAnswer(
  deps: TurnDeps,
  outcome: TimedOutcome,
  content: AssistantMessage['content'] = outcome.message.content,
): Promise<void> {
  const message = { ...outcome.message, content };
  const spent = { usage: outcome.usage, ...(outcome.cost === undefined ? {} : { cost: outcome.cost }) };
  await deps.record([{ message, ...spent }], [usageFact(deps, outcome)]);
}

/** What had arrived before a failure or an interrupt is part of the conversation; calls that did not run are not. */
async function keepPartial(deps: TurnDeps, outcome: TimedOutcome): Promise<void> {
  const content = outcome.message.content.filter((part) => part.type === 'text' && part.text.trim());
  if (content.length) await recordAnswer(deps, outcome, content);
  else if (outcome.usage.output > 0) await deps.record([], [usageFact(deps, outcome)]);
}

function usageFact({ model }: TurnDeps, { usage, cost, message, ms, firstMs }: TimedOutcome): Recorded {
  const { provider, model: name } = message.origin;
  return {
    type: 'usage.recorded',
    data: {
      usage,
      ...(cost === undefined ? {} : { cost }),
      model: `${provider}/${name}`,
      context: usage.input + usage.cacheRead + usage.cacheWrite,
      window: model.info.contextWindow,
      ms,
      ...(firstMs === undefined ? {} : { firstMs }),
    },
  };
}

async function runCalls(
  deps: TurnDeps,
  calls: readonly ToolCallPart[],
  signal: AbortSignal,
  see: (name: string, args: string, result: string) => 'fine' | 'warn' | 'stop',
): Promise<Omit<BatchReport, 'messages'> & { circling: boolean }> {
  let circling = false;
  let left = calls.length;
  const report = await runToolBatch(calls, {
    tools: deps.tools,
    permit: deps.permit,
    scope: deps.scope,
    contextFor: deps.contextFor,
    present: deps.present,
    clean: deps.clean,
    signal,
    onStart: async ({ id, name, arguments: args }) => {
      await deps.record([], [{ type: 'tool.started', data: { call: id, name, arguments: args } }]);
    },
    onEnd: async (call, message, { summary, ms, denied }) => {
      const verdict = see(call.name, call.arguments, JSON.stringify(message.content));
      if (verdict === 'stop') circling = true;
      // What the user said meanwhile goes to the model with the last result of the batch.
      const steering = --left === 0 ? deps.takeSteering() : [];
      const extra = [...(verdict === 'fine' ? [] : [NUDGES.again]), ...steering.map(NUDGES.steering)];
      const content = [...message.content, ...extra.map((text) => ({ type: 'text' as const, text }))];
      const data = {
        call: call.id,
        name: message.name,
        isError: message.isError,
        ...(denied ? { denied } : {}),
        ms: Math.round(ms),
        summary,
      };
      await deps.record(
        [{ message: { ...message, content } }],
        [
          { type: 'tool.ended', data },
          ...steering.map((text) => ({ type: 'steering.applied', data: { text } }) as const),
        ],
      );
    },
  });
  return { ...report, circling };
}

/** A turn that has to close answers calls it will not run, so that none stays open. */
async function refuseCalls(deps: TurnDeps, calls: readonly ToolCallPart[]): Promise<void> {
  const refusals = calls.map(
    ({ id, name }): ToolMessage => ({
      role: 'tool',
      callId: id,
      name,
      content: [{ type: 'text', text: NUDGES.notRun }],
      isError: true,
    }),
  );
  await deps.record(
    refusals.map((message) => ({ message })),
    [],
  );
}

const textOf = (message: AssistantMessage): string =>
  message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');

function notice(text: string): Added {
  const message: UserMessage = { role: 'user', content: [{ type: 'text', text }] };
  return { message, kind: 'notice' };
}
