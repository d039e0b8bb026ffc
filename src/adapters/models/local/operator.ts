import { toErrorRecord } from '#kit/app-error';
import { eventStream } from '#kit/event-stream';
import { type Language, languageOf } from '#kit/language';
import type { AssistantMessage, ModelEvent, ModelInfo, ModelOutcome, ModelRequest } from '#spec/data';
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

/** The built-in model: rules over facts. It says only what it knows and tells plainly what needs a real model. */
export function localOperator(facts: () => Promise<OperatorFacts>): Model {
  return {
    info: INFO,
    stream: (request, signal) =>
      eventStream<ModelEvent, ModelOutcome>(async (emit) => {
        const origin = { provider: INFO.provider, model: INFO.model, protocol: 'local' } as const;
        emit({ type: 'response.start', ...origin });
        const message: AssistantMessage = { role: 'assistant', content: [], origin };
        const outcome = await answerOnce(request, facts, signal, message, emit).catch(
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
  facts: () => Promise<OperatorFacts>,
  signal: AbortSignal,
  message: AssistantMessage,
  emit: (event: ModelEvent) => void,
): Promise<ModelOutcome> {
  const text = await answer(lastUserText(request), facts);
  if (signal.aborted) return { status: 'aborted', message, usage: NO_USAGE };
  for (const line of text.split(/(?<=\n)/)) emit({ type: 'text.delta', text: line });
  return { status: 'done', stop: 'end', message: said(message, text), usage: NO_USAGE, cost: 0 };
}

async function answer(text: string, facts: () => Promise<OperatorFacts>): Promise<string> {
  const language = languageOf(text);
  const known = await Promise.all(Object.values(intents).map((load) => load()));
  if (/^\s*(help|\?|commands|what can you do|帮助|你能做什么|命令)[\s?。!]*$/i.test(text))
    return help(known, language);
  const ranked = known
    .map((intent) => ({ intent, score: intent.match(text) }))
    .toSorted((a, b) => b.score - a.score);
  const best = ranked[0];
  return best && best.score > 0 ? best.intent.answer(facts, language) : unknown(known, language);
}

function help(known: readonly Intent[], language: Language): string {
  const abilities = known.flatMap(({ summary }) => (summary ? [`- ${summary[language]}`] : []));
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
  return last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';
}
