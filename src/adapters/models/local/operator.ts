import { toErrorRecord } from '#kit/app-error';
import { eventStream } from '#kit/event-stream';
import { type Language, languageOf } from '#kit/language';
import { withoutFence } from '#kit/memory-fence';
import { newId } from '#kit/new-id';
import type {
  AssistantMessage,
  ModelEvent,
  ModelInfo,
  ModelOutcome,
  ModelRequest,
  UserPart,
} from '#spec/data';
import type { Model } from '#spec/ports';
import { intents } from './intents.gen.ts';
import type { Intent, OperatorFacts } from './intent.ts';

const INFO: ModelInfo = {
  provider: 'local',
  model: 'operator',
  protocol: 'local',
  contextWindow: 8_192,
  maxOutput: 2_048,
  images: false,
  thinking: false,
  price: { input: 0, output: 0 },
};

const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** The call that does what a message asks for, as far as rules can tell: remembering, recalling, running a skill. */
export type RouteMessage = (text: string) => Promise<
  | {
      readonly name: string;
      readonly input: object;
      /** Not what was plainly asked for: an answer of the operator's own comes first. */
      readonly guess?: true;
    }
  | undefined
>;

/** The built-in model: rules over facts. It says only what it knows and tells plainly what needs a real model. */
export function localOperator(
  facts: () => Promise<OperatorFacts>,
  route: RouteMessage = async () => undefined,
): Model {
  return {
    info: INFO,
    stream: (request, signal) =>
      eventStream<ModelEvent, ModelOutcome>(async (emit) => {
        const origin = { provider: INFO.provider, model: INFO.model, protocol: 'local' } as const;
        emit({ type: 'response.start', ...origin });
        const message: AssistantMessage = { role: 'assistant', content: [], origin };
        const outcome = await answerOnce(request, { facts, route }, signal, message, emit).catch(
          (thrown: unknown): ModelOutcome => ({
            status: 'failed',
            error: toErrorRecord(thrown),
            message,
            usage: NO_USAGE,
          }),
        );
        emit({ type: 'response.end', ...outcome });
        return outcome;
      }),
  };
}

async function answerOnce(
  request: ModelRequest,
  { facts, route }: { readonly facts: () => Promise<OperatorFacts>; readonly route: RouteMessage },
  signal: AbortSignal,
  message: AssistantMessage,
  emit: (event: ModelEvent) => void,
): Promise<ModelOutcome> {
  const asked = lastUserText(request);
  const results = lastResults(request);
  const meant = await understand(asked);
  const calls = await callsFor(asked, meant, results.length ? undefined : route);
  const next = calls[results.length];
  if (next && isOffered(request, next.name)) return calling(next, message, emit);
  const told = results.length ? results.join('\n') : await answer(meant, asked, facts);
  const text = told ?? unknown(await loadIntents(), languageOf(asked));
  if (signal.aborted) return { status: 'aborted', message, usage: NO_USAGE };
  for (const line of text.split(/(?<=\n)/)) emit({ type: 'text.delta', text: line });
  const done = {
    status: 'done',
    stop: 'end',
    message: said(message, text),
    usage: NO_USAGE,
    cost: 0,
  } as const;
  return told === undefined ? { ...done, unable: true } : done;
}

type Call = NonNullable<Awaited<ReturnType<RouteMessage>>>;

/** What a message asks to be done, in order. Several lines that each say something to do are done one by one. */
async function callsFor(
  asked: string,
  meant: Intent | undefined,
  route: RouteMessage | undefined,
): Promise<readonly Call[]> {
  const whole = meant?.call?.(asked);
  if (whole) return [whole];
  const lines = asked.split('\n').filter((line) => line.trim());
  const each = await Promise.all(lines.map(async (line) => (await understand(line))?.call?.(line)));
  const calls = each.filter((call) => call !== undefined);
  if (calls.length > 1) return calls;
  const routed = await route?.(asked);
  return routed && !(routed.guess && meant?.answer) ? [routed] : [];
}

const loadIntents = (): Promise<Intent[]> => Promise.all(Object.values(intents).map((load) => load()));

/** What a message most surely means. */
async function understand(text: string): Promise<Intent | undefined> {
  const ranked = (await loadIntents())
    .map((intent) => ({ intent, score: intent.match(text) }))
    .toSorted((a, b) => b.score - a.score);
  const best = ranked[0];
  return best && best.score > 0 ? best.intent : undefined;
}

/** Undefined: that needs a model. */
async function answer(
  meant: Intent | undefined,
  text: string,
  facts: () => Promise<OperatorFacts>,
): Promise<string | undefined> {
  const language = languageOf(text);
  if (/^\s*(help|\?|commands|what can you do|帮助|你能做什么|命令)[\s?。!]*$/i.test(text))
    return help(await loadIntents(), language);
  return meant?.answer?.(facts, language);
}

function calling(
  { name, input }: { readonly name: string; readonly input: object },
  message: AssistantMessage,
  emit: (event: ModelEvent) => void,
): ModelOutcome {
  const part = { type: 'tool_call', id: newId('call'), name, arguments: JSON.stringify(input) } as const;
  emit({ type: 'tool_call.start', index: 0, id: part.id, name });
  emit({ type: 'tool_call.delta', index: 0, text: part.arguments });
  emit({ type: 'tool_call.end', index: 0, call: part });
  return {
    status: 'done',
    stop: 'tool_calls',
    message: { ...message, content: [part] },
    usage: NO_USAGE,
    cost: 0,
  };
}

/** Tools that stand in no prompt are called through `tool_call`, which everybody is offered who has some. */
const isOffered = ({ tools }: ModelRequest, name: string): boolean =>
  tools.some((tool) => tool.name === name);

/** What the tools said that were called for the last message, one by one. */
function lastResults({ messages }: ModelRequest): string[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const results = messages.slice(asked + 1).filter((message) => message.role === 'tool');
  return results.map(({ content }) =>
    content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  );
}

/** What is done by whoever routes messages. */
const ROUTED: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'something to keep: `remember that …`',
    'something from before: `what do you know about …`',
    'a workflow skill that fits: say what you want, such as `check the disk`',
  ],
  zh: [
    '记住一件事:`记住 …`',
    '查找以前的内容:`以前 … 怎么处理的?`',
    '匹配的工作流技能:直接说要做什么,例如 `检查磁盘`',
  ],
};

function help(known: readonly Intent[], language: Language): string {
  const own = known.flatMap(({ summary }) => (summary ? [summary[language]] : []));
  const abilities = [...own, ...ROUTED[language]].map((ability) => `- ${ability}`);
  const head =
    language === 'zh' ? '没有接入模型,我可以回答:' : 'With no model connected, I can answer about:';
  const tail =
    language === 'zh'
      ? '命令:`hermes run "…"`、`hermes model`、`hermes config`、`hermes profile`、`hermes doctor`、`hermes --help`。'
      : 'Commands: `hermes run "…"`, `hermes model`, `hermes config`, `hermes profile`, `hermes doctor`, `hermes --help`.';
  return [head, '', ...abilities, '', tail].join('\n');
}

function unknown(known: readonly Intent[], language: Language): string {
  const lead =
    language === 'zh'
      ? '回答这个问题需要模型,而目前没有接入。运行 `hermes model` 即可接入。'
      : 'That needs a model, and none is connected. Run `hermes model` to connect one.';
  return `${lead}\n\n${help(known, language)}`;
}

const said = (message: AssistantMessage, text: string): AssistantMessage => ({
  ...message,
  content: [{ type: 'text', text }],
});

function lastUserText({ messages }: ModelRequest): string {
  const last = messages.findLast((message) => message.role === 'user');
  const words = withoutFence<UserPart>(last?.content ?? []);
  return words.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
