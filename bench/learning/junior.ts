import { estimateTokens } from '#kit/estimate-tokens';
import { eventStream } from '#kit/event-stream';
import { isRecord } from '#kit/is-record';
import { messageTokens } from '#kit/message-tokens';
import type {
  AssistantPart,
  Message,
  ModelEvent,
  ModelInfo,
  ModelOutcome,
  ModelRequest,
  ToolSpec,
} from '#spec/data';
import type { Model } from '#spec/ports';
import { seeded, shuffled } from './seeded.ts';
import { COMPLETE } from './world.ts';

/**
 * A model that knows nothing but what stands in its request. When it is shown a skill it looks at it and follows it
 * call by call; otherwise, and from where a step fails, it tries one tool after the other. It answers the same to the
 * same request.
 */
export function junior(): Model {
  return {
    info: INFO,
    stream: (request) =>
      eventStream<ModelEvent, ModelOutcome>(async (emit) => {
        const content = decide(request);
        const message = { role: 'assistant' as const, content, origin: ORIGIN };
        const input = promptTokens(request);
        const output = messageTokens(message);
        const usage = { input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
        emit({ type: 'response.start', ...ORIGIN });
        for (const part of content) if (part.type === 'text') emit({ type: 'text.delta', text: part.text });
        const stop = content.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'end';
        const outcome: ModelOutcome = { message, usage, status: 'done', stop };
        emit({ type: 'response.end', ...outcome });
        return outcome;
      }),
  };
}

const ORIGIN = { provider: 'script', model: 'junior', protocol: 'chat_completions' } as const;
const INFO: ModelInfo = {
  ...ORIGIN,
  contextWindow: 400_000,
  maxOutput: 1_000,
  images: false,
  thinking: false,
};

const prefixes = new WeakMap<object, number>();

function promptTokens({ system, tools, messages }: ModelRequest): number {
  let prefix = prefixes.get(tools);
  if (prefix === undefined) {
    prefix = estimateTokens(system.map(({ text }) => text).join('\n') + JSON.stringify(tools));
    prefixes.set(tools, prefix);
  }
  return messages.reduce((sum, message) => sum + messageTokens(message), prefix);
}

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Made extends Call {
  readonly ok: boolean;
  readonly text: string;
}

function decide({ messages, tools }: ModelRequest): AssistantPart[] {
  const start = messages.findLastIndex(
    (message) => message.role === 'user' && !textOf(message).startsWith('[Hermes]'),
  );
  const said = textOf(messages[start]);
  const fence = /<memory-context>([\s\S]*?)<\/memory-context>/.exec(said)?.[1] ?? '';
  const request = said.replace(/<memory-context>[\s\S]*?<\/memory-context>/g, '').trim();
  const made = callsIn(messages.slice(start + 1));
  const hinted = skillIn(fence);
  const viewed = made.find(({ name }) => name === 'skill_view');
  if (hinted !== undefined && !viewed) return ask({ name: 'skill_view', input: { name: hinted } }, made);
  const acts = made.filter(({ name }) => name !== 'skill_view');
  if (acts.some(({ text }) => text.includes(COMPLETE))) return answer('Done.');
  const procedure = viewed?.ok ? readSteps(viewed.text) : { steps: [], instead: new Map<number, Call[]>() };
  const next = nextStep(procedure, acts, request, tools) ?? explore(procedure.steps, acts, request, tools);
  return next ? ask(next, made) : answer('I could not do this.');
}

const textOf = (message: Message | undefined): string =>
  message?.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';

const answer = (text: string): AssistantPart[] => [{ type: 'text', text }];

const ask = ({ name, input }: Call, made: readonly Made[]): AssistantPart[] => [
  { type: 'tool_call', id: `call_${made.length + 1}`, name, arguments: JSON.stringify(input) },
];

function callsIn(messages: readonly Message[]): Made[] {
  const asked = new Map<string, string>();
  return messages.flatMap((message): Made[] => {
    if (message.role === 'assistant')
      for (const part of message.content) if (part.type === 'tool_call') asked.set(part.id, part.arguments);
    if (message.role !== 'tool') return [];
    const input: unknown = JSON.parse(asked.get(message.callId) ?? '{}');
    return [
      {
        name: message.name,
        input: isRecord(input) ? input : {},
        ok: !message.isError,
        text: textOf(message),
      },
    ];
  });
}

/** The first skill that the fence names. */
const skillIn = (fence: string): string | undefined =>
  /^\s*[-*] `?([a-z0-9][a-z0-9._-]*)`?[:( ]/m.exec(fence)?.[1];

interface Steps {
  readonly steps: readonly Call[];
  readonly instead: ReadonlyMap<number, readonly Call[]>;
}

/** Reads a procedure as it is written: numbered lines with a call each, and what to do when one of them fails. */
function readSteps(text: string): Steps {
  const steps: Call[] = [];
  const instead = new Map<number, Call[]>();
  for (const line of text.split('\n')) {
    const calls = [...line.matchAll(/`([a-z][a-z0-9_]*)` (\{[^}]*\})/g)].map(
      ([, name = '', json = '{}']): Call => ({
        name,
        input: JSON.parse(json) as Record<string, unknown>,
      }),
    );
    const [first] = calls;
    if (/^\s*\d+\. /.test(line) && first) steps.push(first);
    const failing = /When step (\d+) fails/.exec(line)?.[1];
    if (failing !== undefined) instead.set(Number(failing) - 1, calls);
  }
  return { steps, instead };
}

/** The step that comes next when everything so far went as it is written; undefined when it did not. */
function nextStep(
  { steps, instead }: Steps,
  acts: readonly Made[],
  request: string,
  tools: readonly ToolSpec[],
): Call | undefined {
  let from = 0;
  for (const [at, step] of steps.entries()) {
    const call = filled(step, request, tools);
    if (!call) return undefined;
    const there = acts.findIndex((act, index) => index >= from && same(act, call));
    if (there < 0) return acts.length > from ? undefined : call;
    from = there + 1;
    if (acts[there]?.ok) continue;
    const others = (instead.get(at) ?? []).flatMap((other) => filled(other, request, tools) ?? []);
    if (!others.length) return undefined;
    for (const other of others) {
      const tried = acts.findIndex((act, index) => index >= from && same(act, other));
      if (tried < 0) return acts.length > from ? undefined : other;
      from = tried + 1;
      if (!acts[tried]?.ok) return undefined;
    }
  }
  return undefined;
}

const same = (a: Call, b: Call): boolean =>
  a.name === b.name && JSON.stringify(a.input) === JSON.stringify(b.input);

/** A call with its blanks filled from the request, by what the tool's schema says its arguments look like. */
function filled({ name, input }: Call, request: string, tools: readonly ToolSpec[]): Call | undefined {
  const schema = tools.find((tool) => tool.name === name)?.input.properties;
  if (!isRecord(schema)) return undefined;
  const entries = Object.entries(input).map(([key, value]) => {
    const blank = typeof value === 'string' && /^<.*>$/.test(value);
    return [key, blank ? wordFor(schema[key], request) : value] as const;
  });
  return entries.some(([, value]) => value === undefined)
    ? undefined
    : { name, input: Object.fromEntries(entries) };
}

function wordFor(schema: unknown, request: string): string | undefined {
  if (!isRecord(schema) || typeof schema.pattern !== 'string') return undefined;
  const pattern = new RegExp(schema.pattern);
  return request
    .split(/[\s,;:!?()，。？！：；]+|(?=[一-鿿])|(?<=[一-鿿])/)
    .map((word) => word.replace(/[.’']+$/, ''))
    .find((word) => pattern.test(word));
}

/**
 * Something that has not been tried since the last change: first what is left of a procedure, then anything, in an
 * order that depends on the request alone.
 */
function explore(
  steps: readonly Call[],
  acts: readonly Made[],
  request: string,
  tools: readonly ToolSpec[],
): Call | undefined {
  const changed = acts.findLastIndex(({ ok, text }) => ok && text.startsWith('done:'));
  // What was done, and what was looked at, need not be done again; what was refused may work by now.
  const tried = acts.filter(({ ok }, at) => ok || at > changed);
  const everything = tools.flatMap((tool) => callsOf(tool, request));
  const planned = steps.flatMap((step) => filled(step, request, tools) ?? []);
  const order = [...planned, ...shuffled(everything, seeded(request))];
  return order.find((call) => !tried.some((act) => same(act, call)));
}

/** Every way to call a tool with what the request names. */
function callsOf({ name, input }: ToolSpec, request: string): Call[] {
  const { properties } = input;
  if (!isRecord(properties) || name.startsWith('skill')) return [];
  let calls: Record<string, unknown>[] = [{}];
  for (const [key, schema] of Object.entries(properties)) {
    const choices =
      isRecord(schema) && Array.isArray(schema.enum)
        ? (schema.enum as unknown[])
        : [wordFor(schema, request)];
    calls = calls.flatMap((call) => choices.map((choice) => ({ ...call, [key]: choice })));
  }
  return calls
    .filter((call) => Object.values(call).every((value) => value !== undefined))
    .map((call) => ({ name, input: call }));
}
