import { z } from 'zod';
import { cutMiddle } from '#kit/cut-middle';
import { eventStream } from '#kit/event-stream';
import type {
  AgentLive,
  AssistantPart,
  ErrorCode,
  Message,
  ModelEvent,
  ModelInfo,
  ModelOutcome,
  ModelRequest,
  StopReason,
  ToolCallPart,
} from '#spec/data';
import { defineTool, type Model, type Tool, type ToolContext } from '#spec/ports';
import {
  type Recorded,
  runTurn,
  type TurnDeps,
  type TurnOutcome,
} from '../../../../src/engines/agent/run-turn.ts';
import { toolSet } from '../../../../src/engines/agent/tool-set.ts';
import { validTranscript } from './valid-transcript.ts';

/** Turns against a model that answers by a script, for the tests of the loop: everything in memory. */

/** One answer of the model. It may fail or hang (until it is interrupted) after what it shows. */
export interface Step {
  readonly parts?: readonly AssistantPart[];
  readonly stop?: StopReason;
  readonly fail?: ErrorCode;
  readonly hangs?: boolean;
  /** How the text comes in; as it is when absent. */
  readonly deltas?: readonly string[];
}

export const says = (text: string, more: Partial<Step> = {}): Step => ({
  parts: [{ type: 'text', text }],
  ...more,
});

export const asks = (...calls: readonly ToolCallPart[]): Step => ({ parts: calls, stop: 'tool_calls' });

let made = 0;

export const call = (name: string, args: unknown = {}): ToolCallPart => ({
  type: 'tool_call',
  id: `call_${++made}`,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});

export const INFO: ModelInfo = {
  provider: 'script',
  model: 'script-1',
  protocol: 'chat_completions',
  contextWindow: 10_000,
  maxOutput: 1_000,
  images: false,
  thinking: true,
};

const USAGE = { input: 10, output: 2, cacheRead: 5, cacheWrite: 0, reasoning: 0 };

export interface ScriptedModel extends Model {
  readonly requests: ModelRequest[];
}

/** Follows the steps, then fails. `onCall` runs when the call of that number (from 1) begins. */
export function scriptedModel(
  steps: readonly Step[],
  onCall: (number: number) => void = () => undefined,
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    info: INFO,
    requests,
    stream: (request, signal) => {
      requests.push({ ...request, messages: [...request.messages] });
      const step = steps[requests.length - 1] ?? { fail: 'internal' as const };
      onCall(requests.length);
      return eventStream((emit) => play(step, emit, signal));
    },
  };
}

async function play(
  { parts = [], stop = 'end', fail, hangs, deltas }: Step,
  emit: (event: ModelEvent) => void,
  signal: AbortSignal,
): Promise<ModelOutcome> {
  const { provider, model, protocol } = INFO;
  const origin = { provider, model, protocol };
  const common = { message: { role: 'assistant' as const, content: [...parts], origin }, usage: USAGE };
  emit({ type: 'response.start', ...origin });
  for (const part of parts) {
    if (part.type === 'thinking') emit({ type: 'thinking.delta', text: part.text });
    if (part.type === 'text') for (const text of deltas ?? [part.text]) emit({ type: 'text.delta', text });
  }
  if (hangs && !signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const error = {
    code: fail ?? 'internal',
    message: `the model says ${fail}`,
    retry: { again: false },
  } as const;
  const outcome: ModelOutcome = signal.aborted
    ? { ...common, status: 'aborted' }
    : fail
      ? { ...common, status: 'failed', error }
      : { ...common, status: 'done', stop };
  emit({ type: 'response.end', ...outcome });
  return outcome;
}

/** A tool that reads nothing and answers with its own name and what it was asked. */
export const echo = (name = 'read_file', more: Partial<Tool<{ path: string }>> = {}): Tool =>
  defineTool({
    name,
    toolset: 'test',
    description: `Does ${name}.`,
    input: z.strictObject({ path: z.string() }),
    effect: () => 0,
    run: async ({ path }) => ({ content: [{ type: 'text', text: `${name}:${path}` }], summary: path }),
    ...more,
  });

/** A context with nothing in it but what the loop itself fills in; a tool that reaches for more fails. */
export const contextFor = (made_: ToolCallPart, signal = new AbortController().signal): ToolContext =>
  ({
    call: made_.id,
    session: 'ses_1',
    audience: { source: 'test', user: 'u', chat: 'c' },
    signal,
    todos: { read: () => [], write: () => undefined },
    update: () => undefined,
  }) as unknown as ToolContext;

export interface ScriptedTurn {
  readonly model: ScriptedModel;
  readonly messages: Message[];
  readonly notices: string[];
  readonly facts: Recorded[];
  readonly shown: { readonly type: keyof AgentLive; readonly data: unknown }[];
  readonly drafts: string[];
  /** Runs the turn to its end and throws when it leaves a conversation that no vendor would take. */
  run(signal?: AbortSignal): Promise<TurnOutcome>;
}

export function scriptedTurn(
  steps: readonly Step[],
  more: Partial<Omit<TurnDeps, 'model' | 'tools'>> & {
    readonly tools?: readonly Tool[];
    readonly onCall?: (number: number) => void;
  } = {},
): ScriptedTurn {
  const { tools = [echo()], onCall, ...deps } = more;
  const model = scriptedModel(steps, onCall);
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }];
  const turn = { model, messages, notices: [] as string[], facts: [] as Recorded[], drafts: [] as string[] };
  const shown: { type: keyof AgentLive; data: unknown }[] = [];
  const set = toolSet(tools);
  const run = async (signal = new AbortController().signal) => {
    const outcome = await runTurn(
      {
        model,
        prefix: { system: [{ text: 'You are Hermes.' }], tools: set.specs },
        tools: set,
        settings: {},
        maxCalls: 90,
        history: () => messages,
        record: async (added, facts) => {
          // The store takes its time: nothing may rely on a write being there at once.
          await new Promise(setImmediate);
          for (const { message, kind } of added) {
            messages.push(message);
            if (kind === 'notice') turn.notices.push(textOf(message));
          }
          turn.facts.push(...facts);
        },
        draft: (text) => turn.drafts.push(text),
        show: (type, data) => shown.push({ type, data }),
        permit: async () => ({ allowed: true }),
        scope: { session: 's1', turn: 1, run: 'r1', ask: undefined, signal },
        present: async (text, limit) => cutMiddle(text, limit),
        clean: (text) => text,
        contextFor: (asked) => contextFor(asked, signal),
        makeRoom: async () => false,
        takeSteering: () => [],
        ...deps,
      },
      signal,
    );
    const problems = validTranscript(messages);
    if (problems.length) throw new Error(problems.join('\n'));
    return outcome;
  };
  return { ...turn, shown, run };
}

export const textOf = (message: Message | undefined): string =>
  message?.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';

/** The texts of all tool results, in the order of the conversation. */
export const results = (messages: readonly Message[]): string[] =>
  messages.filter(({ role }) => role === 'tool').map(textOf);
