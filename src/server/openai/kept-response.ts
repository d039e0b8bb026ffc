import type { KeptItem, KeptTurn } from '#app/agent-api';
import type { Message, UserPart } from '#spec/data';
import { badParam, interrupted, openaiError } from './openai-error.ts';
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

const STATUS = { running: 'in_progress', done: 'completed', failed: 'failed', aborted: 'cancelled' } as const;

/**
 * A kept turn as a response. What was asked for besides words and tools is not kept: the settings are null, and one that
 * was cut at a limit is told as completed.
 */
export function keptResponse(turn: KeptTurn): object {
  const id = responseId(turn);
  const { status, calls, text } = turn;
  const base = responseBase(id, turn.createdAt, {
    model: turn.model === undefined || turn.model.startsWith('local/') ? 'hermes' : `hermes/${turn.model}`,
    instructions: turn.instructions ?? null,
    previous_response_id: turn.previous ? responseId(turn.previous) : null,
    store: true,
    temperature: null,
    max_output_tokens: null,
    metadata: {},
    tools: turn.tools.map(({ name, description, input }) => ({
      type: 'function',
      name,
      description,
      parameters: input,
      strict: false,
    })),
    tool_choice: 'auto',
  });
  const whole = status === 'done' ? 'completed' : status === 'running' ? 'in_progress' : 'incomplete';
  const { code, message } = openaiError(turn.error ?? interrupted().record);
  return {
    ...base,
    status: STATUS[status],
    error: status === 'failed' ? { code: code ?? 'server_error', message } : null,
    output: [
      ...(text ? [messageItem(messageId(id), whole, [textPart(text)])] : []),
      ...calls.map((call, index) => callItem(callItemId(id, index), call, 'completed')),
    ],
    usage: status === 'running' ? null : responseUsage(turn.usage),
    x_hermes: { session: turn.session },
  };
}

const MOST_ITEMS = 100;
const USUAL_ITEMS = 20;

/** What a response was asked with, in pages as OpenAI cuts them: newest first unless asked otherwise. */
export function inputItems({ input }: KeptTurn, query: URLSearchParams): object {
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw badParam('order', 'order: it is asc or desc.');
  const limit = Number(query.get('limit') ?? USUAL_ITEMS);
  if (!Number.isInteger(limit) || limit < 1)
    throw badParam('limit', 'limit: it is a whole number from 1 on.');
  const all = input.flatMap(itemsOf);
  const ordered = order === 'asc' ? all : all.toReversed();
  const after = query.get('after');
  const place = after === null ? -1 : ordered.findIndex(({ id }) => id === after);
  if (after !== null && place < 0) throw badParam('after', 'after: there is no such item.');
  const next = place + 1 + Math.min(limit, MOST_ITEMS);
  const data = ordered.slice(place + 1, next);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: next < ordered.length,
  };
}

interface Item {
  readonly id: string;
  readonly type: string;
}

function itemsOf({ id, message }: KeptItem): readonly Item[] {
  if (message.role === 'user')
    return [
      { id, type: 'message', role: 'user', status: 'completed', content: partsOf(message.content) } as Item,
    ];
  if (message.role === 'tool') {
    const output = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const about = { call_id: message.callId, output, status: 'completed' };
    return [{ id: id.replace(/^msg_/, 'fco_'), type: 'function_call_output', ...about }];
  }
  const text = textOf(message);
  const calls = message.content.filter((part) => part.type === 'tool_call');
  return [
    ...(text ? [messageItem(id, 'completed', [textPart(text)])] : []),
    ...calls.map((call, index) => callItem(`${id.replace(/^msg_/, 'fc_')}_${index}`, call, 'completed')),
  ];
}

const textOf = ({ content }: Message): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

const partsOf = (content: readonly UserPart[]): readonly object[] =>
  content.map((part) =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : { type: 'input_image', detail: 'auto', image_url: `data:${part.mediaType};base64,${part.data}` },
  );
