import { deferredTools, toolSet } from '#engines/agent';
import { eventStream } from '#kit/event-stream';
import type {
  AgentEvent,
  AssistantPart,
  ErrorCode,
  Message,
  ModelEvent,
  ModelInfo,
  ModelOutcome,
  ModelRequest,
  UserPart,
} from '#spec/data';
import type { Model, Tool, ToolPlace, ToolPowers } from '#spec/ports';
import type { Conversation, TurnResult } from '../../../../src/engines/session/conversation.ts';
import { type MemoryStores, memoryStores } from './memory-stores.ts';
import {
  type ConversationDeps,
  openConversation,
} from '../../../../src/engines/session/open-conversation.ts';
import { sessionTools } from '../../../../src/engines/session/session-tools.ts';

/** Conversations with a model that answers by a script and stores in memory, for tests. */

/** A text, calls as name and arguments, or a failure. */
export type Step = string | readonly (readonly [string, unknown])[] | { readonly fail: ErrorCode };

const INFO: ModelInfo = {
  provider: 'script',
  model: 'script-1',
  protocol: 'chat_completions',
  contextWindow: 20_000,
  maxOutput: 1_000,
  images: false,
  thinking: false,
};

const USAGE = { input: 100, output: 10, cacheRead: 50, cacheWrite: 0, reasoning: 0 };

export interface Script extends Model {
  readonly requests: ModelRequest[];
}

/** Follows the steps, then answers `done`. */
export function script(steps: readonly Step[], info: Partial<ModelInfo> = {}): Script {
  const requests: ModelRequest[] = [];
  const known = { ...INFO, ...info };
  const { provider, model, protocol } = known;
  return {
    info: known,
    requests,
    stream: (request, signal) => {
      requests.push(structuredClone(request));
      const step = steps[requests.length - 1] ?? 'done';
      return eventStream<ModelEvent, ModelOutcome>(async (emit) => {
        const content = partsOf(step, requests.length);
        const message = { role: 'assistant' as const, content, origin: { provider, model, protocol } };
        const common = { message, usage: USAGE, cost: 0.01 };
        emit({ type: 'response.start', ...message.origin });
        if (typeof step === 'string') emit({ type: 'text.delta', text: step });
        const stop = typeof step === 'string' ? 'end' : 'tool_calls';
        const outcome: ModelOutcome = signal.aborted
          ? { ...common, status: 'aborted' }
          : typeof step === 'object' && 'fail' in step
            ? {
                ...common,
                status: 'failed',
                error: { code: step.fail, message: step.fail, retry: { again: false } },
              }
            : { ...common, status: 'done', stop };
        emit({ type: 'response.end', ...outcome });
        return outcome;
      });
    },
  };
}

function partsOf(step: Step, request: number): AssistantPart[] {
  if (typeof step === 'string') return [{ type: 'text', text: step }];
  if ('fail' in step) return [];
  return step.map(([name, args], i) => ({
    type: 'tool_call',
    id: `call_${request}_${i}`,
    name,
    arguments: JSON.stringify(args),
  }));
}

const PLACE: ToolPlace = { sees: false, key: () => undefined, program: () => undefined };

export const said = (text: string): UserPart[] => [{ type: 'text', text }];

export interface Talk {
  readonly talk: Conversation;
  readonly model: Script;
  readonly stores: MemoryStores;
  readonly deps: ConversationDeps;
  /** Sessions whose turns are over. */
  readonly over: string[];
  readonly send: (
    text: string,
    signal?: AbortSignal,
  ) => Promise<{ events: AgentEvent[]; result: TurnResult }>;
  readonly command: (line: string) => ReturnType<Conversation['command']>;
}

export async function scriptedTalk(
  steps: readonly Step[],
  more: Partial<ConversationDeps> & {
    tools?: readonly Tool[];
    info?: Partial<ModelInfo>;
    resume?: string;
  } = {},
): Promise<Talk> {
  const { tools = [], info, resume, ...given } = more;
  const model = script(steps, info);
  const stores = memoryStores();
  const all = [...(await sessionTools()), ...tools];
  const over: string[] = [];
  const deps: ConversationDeps = {
    stores,
    audience: { source: 'cli', user: 'u', chat: 'c' },
    cwd: '/work',
    language: 'en',
    now: Date.now,
    toolsFor: async (ask) => {
      const there = all.filter((tool) => !tool.missing?.({ ...PLACE, ...(ask ? { ask } : {}) }));
      return toolSet([...there, ...deferredTools(there)]);
    },
    freeze: async (_, set) => ({
      prefix: { system: [{ text: 'You are Hermes.' }], tools: set.specs },
      notices: [],
    }),
    modelFor: async () => model,
    answering: async (override) => override ?? 'script/script-1',
    references: () => ({
      file: async (path) => (path === 'notes.txt' ? 'pool size 20' : undefined),
      folder: async () => undefined,
      diff: async () => undefined,
      url: async () => undefined,
    }),
    settings: {},
    maxCalls: 20,
    powers: { ...PLACE, recall: { search: async () => [], recent: async () => [] } } as unknown as ToolPowers,
    permit: async () => ({ allowed: true }),
    present: async (text) => text,
    clean: (text) => text,
    moreCommands: {},
    checkpoints: undefined,
    deskFor: () => ({ pending: async () => [], decide: () => Promise.reject(new Error('no such request')) }),
    onTurn: ({ session }) => over.push(session),
    remind: async () => undefined,
    takeNotices: () => [],
    ...given,
  };
  const talk = await openConversation(deps, { resume });
  if (!talk) throw new Error('there is no such session');
  return {
    talk,
    model,
    stores: deps.stores as MemoryStores,
    deps,
    over,
    send: async (text, signal = new AbortController().signal) => {
      const stream = talk.send(said(text), signal);
      const events: AgentEvent[] = [];
      for await (const event of stream) events.push(event);
      return { events, result: await stream.result() };
    },
    command: (line) => talk.command(line, new AbortController().signal),
  };
}

/** What each message says, with its calls and results in short. */
export const lines = (messages: readonly Message[]): string[] =>
  messages.map(({ role, content }) =>
    [role, ...content.map((part) => (part.type === 'text' ? part.text : part.type))].join(' '),
  );

/** Calls without exactly one result behind them, and results without a call. */
export function openCalls(messages: readonly Message[]): string[] {
  const wrong: string[] = [];
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.callId)) wrong.push(message.callId);
      continue;
    }
    wrong.push(...open);
    const calls =
      message.role === 'assistant' ? message.content.filter((part) => part.type === 'tool_call') : [];
    open = new Set(calls.map(({ id }) => id));
  }
  return [...wrong, ...open];
}
