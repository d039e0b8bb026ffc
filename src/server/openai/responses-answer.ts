import type { Ending, HandedCall, Progress, ServedTurn } from '#host';
import { AppError } from '#kit/app-error';
import { newId } from '#kit/new-id';
import type { Usage } from '#spec/data';
import { interrupted, openaiError } from './openai-error.ts';
import { responseId } from './response-id.ts';
import type { ResponsesAsk } from './responses-request.ts';

const responseUsage = ({ input, output, cacheRead, cacheWrite, reasoning }: Usage) => ({
  input_tokens: input + cacheRead + cacheWrite,
  input_tokens_details: { cached_tokens: cacheRead },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + cacheRead + cacheWrite + output,
});

const INCOMPLETE = { length: 'max_output_tokens', content_filter: 'content_filter' } as const;

/** A response as it stands before, during and after its turn. */
function responseOf({ echoed }: ResponsesAsk, turn: ServedTurn) {
  const base = {
    id: responseId(turn.kept),
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    ...echoed,
    parallel_tool_calls: true,
    reasoning: { effort: null, summary: null },
    text: { format: { type: 'text' } },
    top_p: null,
    truncation: 'disabled',
    user: null,
  };
  const rest = { error: null, incomplete_details: null, output: [], usage: null };
  return {
    open: { ...base, ...rest, status: 'in_progress' },
    ended: (ending: Ending, output: readonly object[], progress: readonly Progress[]): ResponseBody => {
      const usage = responseUsage(ending.usage);
      const more = { ...rest, output, usage, x_hermes: { progress, ...sessionOf(turn) } };
      if (ending.status !== 'done') {
        const { code, message } = openaiError(
          ending.status === 'failed' ? ending.error : interrupted().record,
        );
        return { ...base, ...more, status: 'failed', error: { code: code ?? 'server_error', message } };
      }
      const reason = INCOMPLETE[ending.finish as keyof typeof INCOMPLETE];
      return reason
        ? { ...base, ...more, status: 'incomplete', incomplete_details: { reason } }
        : { ...base, ...more, status: 'completed' };
    },
  };
}

type ResponseBody = Readonly<Record<string, unknown>> & {
  readonly status: 'completed' | 'incomplete' | 'failed';
};

const sessionOf = ({ kept }: ServedTurn) => (kept ? { session: kept.session } : {});

const messageItem = (id: string, status: string, content: readonly object[]) => ({
  id,
  type: 'message',
  role: 'assistant',
  status,
  content,
});
const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const callItem = (id: string, call: HandedCall, status: string, text: string) => ({
  id,
  type: 'function_call',
  call_id: call.id,
  name: call.name,
  arguments: text,
  status,
});

/** The whole response in one piece. */
export async function wholeResponse(ask: ResponsesAsk, turn: ServedTurn): Promise<object> {
  for await (const { type, ...event } of responseEvents(ask, turn)) {
    if (!FINAL.has(type)) continue;
    const { response, failure } = event as { response: object; failure?: AppError };
    if (failure) throw failure;
    return response;
  }
  throw interrupted();
}

/** The response as server-sent events, numbered from zero. */
export async function* responseStream(
  ask: ResponsesAsk,
  turn: ServedTurn,
): AsyncGenerator<string, void, undefined> {
  let number = 0;
  for await (const { failure: _, ...event } of responseEvents(ask, turn))
    yield `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: number++ })}\n\n`;
}

const FINAL: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

interface WireEvent {
  readonly type: string;
  /** Not for the wire: what the response failed with. */
  readonly failure?: AppError;
  readonly [name: string]: unknown;
}

/**
 * What the agent does with its own tools is told in `x_hermes` of a `response.in_progress`, with the output so far: the
 * official client ends a stream with an event of a type that it does not know, and takes the output from each of these.
 */
async function* responseEvents(
  ask: ResponsesAsk,
  turn: ServedTurn,
): AsyncGenerator<WireEvent, void, undefined> {
  const { open, ended } = responseOf(ask, turn);
  const output: object[] = [];
  const progress: Progress[] = [];
  const message = messageEvents();
  yield { type: 'response.created', response: open };
  yield { type: 'response.in_progress', response: open };
  for await (const event of turn.events) {
    if (event.type === 'text') yield* message.add(event.text);
    else if (event.type === 'progress') {
      progress.push(event.progress);
      const response = { ...open, output: message.soFar() };
      yield { type: 'response.in_progress', response, x_hermes: event.progress };
    } else if (event.type === 'ended') {
      const { ending } = event;
      const whole = ending.status === 'done';
      yield* message.end(whole ? 'completed' : 'incomplete', output);
      if (whole) for (const call of ending.calls) yield* callEvents(call, output);
      const response = ended(ending, output, progress);
      const failure = ending.status === 'failed' ? new AppError(ending.error) : interrupted();
      yield { type: `response.${response.status}`, response, ...(whole ? {} : { failure }) };
    }
  }
}

/** The one message of a response: it begins with its first words. */
function messageEvents() {
  const id = newId('msg');
  const place = { item_id: id, output_index: 0, content_index: 0 };
  let text = '';
  return {
    soFar: () => (text ? [messageItem(id, 'in_progress', [textPart(text)])] : []),
    *add(more: string): Generator<WireEvent> {
      if (!text) {
        const item = messageItem(id, 'in_progress', []);
        yield { type: 'response.output_item.added', output_index: 0, item };
        yield { type: 'response.content_part.added', ...place, part: textPart('') };
      }
      text += more;
      yield { type: 'response.output_text.delta', ...place, delta: more, logprobs: [] };
    },
    *end(status: string, output: object[]): Generator<WireEvent> {
      if (!text) return;
      const item = messageItem(id, status, [textPart(text)]);
      output.push(item);
      yield { type: 'response.output_text.done', ...place, text, logprobs: [] };
      yield { type: 'response.content_part.done', ...place, part: textPart(text) };
      yield { type: 'response.output_item.done', output_index: 0, item };
    },
  };
}

function* callEvents(call: HandedCall, output: object[]): Generator<WireEvent> {
  const id = newId('fc');
  const output_index = output.length;
  const place = { item_id: id, output_index };
  const item = callItem(id, call, 'completed', call.arguments);
  output.push(item);
  yield { type: 'response.output_item.added', output_index, item: callItem(id, call, 'in_progress', '') };
  yield { type: 'response.function_call_arguments.delta', ...place, delta: call.arguments };
  const { name, arguments: text } = call;
  yield { type: 'response.function_call_arguments.done', ...place, name, arguments: text };
  yield { type: 'response.output_item.done', output_index, item };
}
