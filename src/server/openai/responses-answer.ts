import type { Ending, HandedCall, Progress, ServedTurn } from '#app/agent-api';
import { AppError } from '#kit/app-error';
import { interrupted, openaiError } from './openai-error.ts';
import { responseId } from './response-id.ts';
import {
  callItem,
  callItemId,
  messageId,
  messageItem,
  responseBase,
  responseUsage,
  textPart,
} from './response-shape.ts';
import type { ResponsesAsk } from './responses-request.ts';

const INCOMPLETE = { length: 'max_output_tokens', content_filter: 'content_filter' } as const;

/** A response as it stands before, during and after its turn. */
function responseOf({ echoed }: ResponsesAsk, turn: ServedTurn) {
  const id = responseId(turn.kept);
  const base = responseBase(id, Date.now(), echoed);
  return {
    id,
    open: { ...base, status: 'in_progress', output: [], usage: null },
    ended: (ending: Ending, output: readonly object[], progress: readonly Progress[]): ResponseBody => {
      const usage = responseUsage(ending.usage);
      const more = { output, usage, x_hermes: { progress, ...sessionOf(turn) } };
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
  const { id, open, ended } = responseOf(ask, turn);
  const output: object[] = [];
  const progress: Progress[] = [];
  const message = messageEvents(messageId(id));
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
      if (whole)
        for (const [index, call] of ending.calls.entries())
          yield* callEvents(callItemId(id, index), call, output);
      const response = ended(ending, output, progress);
      const failure = ending.status === 'failed' ? new AppError(ending.error) : interrupted();
      yield { type: `response.${response.status}`, response, ...(whole ? {} : { failure }) };
    }
  }
}

/** The one message of a response: it begins with its first words. */
function messageEvents(id: string) {
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

function* callEvents(id: string, call: HandedCall, output: object[]): Generator<WireEvent> {
  const output_index = output.length;
  const place = { item_id: id, output_index };
  const item = callItem(id, call, 'completed');
  output.push(item);
  yield { type: 'response.output_item.added', output_index, item: callItem(id, call, 'in_progress', '') };
  yield { type: 'response.function_call_arguments.delta', ...place, delta: call.arguments };
  const { name, arguments: text } = call;
  yield { type: 'response.function_call_arguments.done', ...place, name, arguments: text };
  yield { type: 'response.output_item.done', output_index, item };
}
