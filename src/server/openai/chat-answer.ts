import type { Ending, HandedCall, Progress, ServedEvent, ServedTurn } from '#app/agent-api';
import { AppError } from '#kit/app-error';
import { newId } from '#kit/new-id';
import type { Usage } from '#spec/data';
import type { ChatAsk } from './chat-request.ts';
import { interrupted, openaiError } from './openai-error.ts';

type Done = Extract<Ending, { status: 'done' }>;

const chatUsage = ({ input, output, cacheRead, cacheWrite, reasoning }: Usage) => ({
  prompt_tokens: input + cacheRead + cacheWrite,
  completion_tokens: output,
  total_tokens: input + cacheRead + cacheWrite + output,
  prompt_tokens_details: { cached_tokens: cacheRead },
  completion_tokens_details: { reasoning_tokens: reasoning },
});

const chatCalls = (calls: readonly HandedCall[]) =>
  calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }));

const common = (model: string) => ({
  id: newId('chatcmpl').replace('_', '-'),
  created: Math.floor(Date.now() / 1_000),
  model,
});

/** The whole answer in one piece. */
export async function chatCompletion({ model }: ChatAsk, turn: ServedTurn): Promise<object> {
  let text = '';
  let thoughts = '';
  let answers: string | undefined;
  let done: Done | undefined;
  const progress: Progress[] = [];
  for await (const event of turn.events) {
    if (event.type === 'text') text += event.text;
    else if (event.type === 'thinking') thoughts += event.text;
    else if (event.type === 'began') answers = event.model;
    else if (event.type === 'progress') progress.push(event.progress);
    else done = doneOf(event.ending);
  }
  if (!done) throw interrupted();
  const { calls, finish, usage } = done;
  const message = {
    role: 'assistant',
    content: text || (calls.length ? null : ''),
    refusal: null,
    ...(thoughts ? { reasoning_content: thoughts } : {}),
    ...(calls.length ? { tool_calls: chatCalls(calls) } : {}),
  };
  return {
    ...common(model),
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: chatUsage(usage),
    x_hermes: {
      progress,
      ...(answers ? { model: answers } : {}),
      ...(turn.kept ? { session: turn.kept.session } : {}),
    },
  };
}

function doneOf(ending: Ending): Done {
  if (ending.status === 'failed') throw new AppError(ending.error);
  if (ending.status === 'aborted') throw interrupted();
  return ending;
}

/**
 * The answer as it comes. What the agent does with its own tools is told in `x_hermes` beside an empty delta: a client
 * would try to run what stands in `tool_calls`, so only its own tools stand there.
 */
export async function* chatStream(
  { model, includeUsage }: ChatAsk,
  turn: ServedTurn,
): AsyncGenerator<string, void, undefined> {
  const head = { ...common(model), object: 'chat.completion.chunk' };
  const more = includeUsage ? { usage: null } : {};
  const chunk = (delta: object, extra: object = {}, finish: string | null = null) =>
    frame({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...more,
      ...extra,
    });

  yield chunk({ role: 'assistant', content: '' });
  for await (const event of turn.events) {
    if (event.type !== 'ended') {
      const told = deltaOf(event);
      if (told) yield chunk(told.delta, told.extra);
      continue;
    }
    const { ending } = event;
    if (ending.status !== 'done') {
      yield frame({ error: openaiError(ending.status === 'failed' ? ending.error : interrupted().record) });
      return;
    }
    if (ending.calls.length)
      yield chunk({ tool_calls: chatCalls(ending.calls).map((call, index) => ({ index, ...call })) });
    yield chunk({}, turn.kept ? { x_hermes: { session: turn.kept.session } } : {}, ending.finish);
    if (includeUsage) yield frame({ ...head, choices: [], usage: chatUsage(ending.usage) });
  }
  yield 'data: [DONE]\n\n';
}

function deltaOf(
  event: Exclude<ServedEvent, { type: 'ended' }>,
): { readonly delta: object; readonly extra?: object } | undefined {
  switch (event.type) {
    case 'text':
      return { delta: { content: event.text } };
    case 'thinking':
      return { delta: { reasoning_content: event.text } };
    case 'progress':
      return { delta: {}, extra: { x_hermes: event.progress } };
    case 'began':
      return undefined;
  }
}

const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
