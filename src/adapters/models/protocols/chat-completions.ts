import { isRecord } from '#kit/is-record';
import { newId } from '#kit/new-id';
import type {
  AssistantMessage,
  Message,
  ModelInfo,
  ModelRequest,
  Replay,
  StopReason,
  Usage,
  UserPart,
} from '#spec/data';
import { type ChatDialect, type Decoder, defineProtocol, type WireEvent } from '#spec/ports';
import { planCache } from '#kit/cache-plan';
import {
  argumentsText,
  at,
  countAt,
  dataUrl,
  isJsonObject,
  replayFor,
  textAt,
  textOf,
  callName,
} from '../wire/content.ts';
import { thinkTagSplitter } from '../wire/think-tags.ts';

type Json = Record<string, unknown>;

const STOPS: Readonly<Record<string, StopReason>> = {
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

export const protocol = defineProtocol({
  id: 'chat_completions',
  framing: 'sse',
  encode: (request, { info, dialect }) => ({
    path: '/chat/completions',
    body: {
      model: info.model,
      stream: true,
      ...(dialect.noStreamOptions ? {} : { stream_options: { include_usage: true } }),
      ...(request.tools.length ? { tools: request.tools.map(encodeTool) } : {}),
      messages: encodeMessages(request, info, dialect),
      ...(request.maxOutput ? { [dialect.maxTokens ?? 'max_completion_tokens']: request.maxOutput } : {}),
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(dialect.cacheKey && request.cacheKey ? { prompt_cache_key: request.cacheKey } : {}),
      ...thinkingFields(request, info, dialect),
    },
  }),
  decoder: () => decoder(),
  vendorError: (body) => {
    const error = at(body, 'error') ?? at(body, 0, 'error') ?? body;
    const code = at(error, 'code') ?? at(error, 'type');
    const message =
      textAt(error, 'message') ||
      textAt(body, 'message') ||
      textAt(body, 'detail') ||
      (typeof error === 'string' ? error : '');
    return { message, ...(code ? { code: `${code as string | number}` } : {}) };
  },
});

const encodeTool = (tool: ModelRequest['tools'][number]): Json => ({
  type: 'function',
  function: { name: tool.name, description: tool.description, parameters: tool.input },
});

function thinkingFields(request: ModelRequest, info: ModelInfo, dialect: ChatDialect): Json {
  const level = request.thinking ?? 'off';
  const way = dialect.thinking ?? 'reasoning_effort';
  if (!info.thinking || way === 'none') return {};
  const on = level !== 'off';
  if (way === 'enable_thinking') return { enable_thinking: on };
  if (way === 'thinking') return { thinking: { type: on ? 'enabled' : 'disabled' } };
  if (!on) return {};
  return way === 'reasoning' ? { reasoning: { effort: level } } : { reasoning_effort: level };
}

function encodeMessages(request: ModelRequest, info: ModelInfo, dialect: ChatDialect): Json[] {
  const plan = planCache(dialect.cacheControl ? request : { ...request, cacheTtl: 'off' });
  const mark = { cache_control: { type: 'ephemeral', ...(request.cacheTtl === '1h' ? { ttl: '1h' } : {}) } };
  const out: Json[] = [];
  if (request.system.length) {
    const blocks = request.system.map(({ text }, index) => ({
      type: 'text',
      text,
      ...(plan.system.has(index) ? mark : {}),
    }));
    const content = plan.system.size ? blocks : request.system.map((block) => block.text).join('\n\n');
    out.push({ role: 'system', content });
  }
  request.messages.forEach((message, index) => {
    const encoded = encodeMessage(message, info, dialect);
    if (plan.messages.has(index)) markLast(encoded, mark);
    out.push(encoded);
  });
  return withToolImages(request.messages, out);
}

/** Puts the cache mark on the last part of a message. */
function markLast(message: Json, mark: Json): void {
  const content = message.content;
  if (typeof content === 'string') message.content = [{ type: 'text', text: content, ...mark }];
  else if (Array.isArray(content) && isRecord(content.at(-1))) Object.assign(content.at(-1) as Json, mark);
}

function encodeMessage(message: Message, info: ModelInfo, dialect: ChatDialect): Json {
  if (message.role === 'user') return { role: 'user', content: userContent(message.content) };
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.callId, content: textOf(message.content) };
  }
  return encodeAssistant(message, info, dialect);
}

const imageBlock = (part: UserPart): Json =>
  part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image_url', image_url: { url: dataUrl(part) } };

const userContent = (parts: readonly UserPart[]): unknown =>
  parts.every((part) => part.type === 'text') ? textOf(parts) : parts.map(imageBlock);

function encodeAssistant(message: AssistantMessage, info: ModelInfo, dialect: ChatDialect): Json {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: Json[] = [];
  const replays: Json = {};
  for (const part of message.content) {
    const replay = part.type === 'text' ? undefined : replayFor(info, message, part);
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'thinking') {
      thoughts.push(part.text);
      Object.assign(replays, replay);
    } else {
      const call = { name: callName(part.name), arguments: argumentsText(part.arguments) };
      calls.push({ id: part.id, type: 'function', function: call, ...replay });
    }
  }
  const text = texts.join('');
  const field = dialect.thinkingField ?? 'reasoning_content';
  return {
    role: 'assistant',
    content: text || (calls.length ? null : ''),
    ...(dialect.replaysThinking && thoughts.length ? { [field]: thoughts.join('') } : {}),
    ...replays,
    ...(calls.length ? { tool_calls: calls } : {}),
  };
}

/** Tool messages carry text only here: the images of a run of results follow it in a user message. */
function withToolImages(messages: readonly Message[], encoded: Json[]): Json[] {
  const lead = encoded.length - messages.length;
  const out = encoded.slice(0, lead);
  let images: Json[] = [];
  messages.forEach((message, index) => {
    out.push(encoded[lead + index] as Json);
    if (message.role !== 'tool') return;
    for (const part of message.content) if (part.type === 'image') images.push(imageBlock(part));
    if (images.length && messages[index + 1]?.role !== 'tool') {
      out.push({ role: 'user', content: images });
      images = [];
    }
  });
  return out;
}

function decoder(): Decoder {
  const text = thinkTagSplitter();
  const tools = toolCallReader();
  const details: Json[] = [];

  const delta = (data: unknown): WireEvent[] => {
    const pieces = at(data, 'reasoning_details');
    if (Array.isArray(pieces)) for (const piece of pieces) addDetail(details, piece);
    const thinking = textAt(data, 'reasoning_content') || textAt(data, 'reasoning');
    const parts = at(data, 'content');
    if (Array.isArray(parts)) return [...parts.flatMap(contentPart), ...tools.push(at(data, 'tool_calls'))];
    return [
      ...(thinking ? [{ type: 'thinking', text: thinking } as const] : []),
      ...text.push(textAt(data, 'content') || textAt(data, 'refusal')),
      ...tools.push(at(data, 'tool_calls')),
    ];
  };
  const finish = (reason: string): WireEvent[] => {
    const held = details.splice(0);
    const replay = { reasoning_details: held } as unknown as Replay;
    return [
      ...text.end(),
      ...(held.length ? [{ type: 'thinking_end', replay } as const] : []),
      ...tools.end(),
      { type: 'stop', reason: STOPS[reason] ?? 'end' },
      { type: 'complete' },
    ];
  };
  return {
    push: ({ event, data }) => {
      if (event === '[DONE]') return [...text.end(), { type: 'complete' }];
      if (at(data, 'error')) return [{ type: 'error', error: protocol.vendorError(data) }];
      const events = delta(at(data, 'choices', 0, 'delta'));
      const reason = textAt(data, 'choices', 0, 'finish_reason');
      if (reason) events.push(...finish(reason));
      const usage = at(data, 'usage');
      if (isRecord(usage)) events.push({ type: 'usage', usage: usageOf(usage) });
      return events;
    },
  };
}

interface ReadCall {
  readonly key: string;
  readonly index: number;
  readonly id: string;
  text: string;
}

/** Content as a list of parts, which is how some vendors stream thinking. */
function contentPart(part: unknown): WireEvent[] {
  const thoughts = at(part, 'thinking');
  if (Array.isArray(thoughts))
    return thoughts.map((thought) => ({ type: 'thinking', text: textAt(thought, 'text') }));
  return [{ type: 'text', text: textAt(part, 'text') }];
}

/**
 * Calls come in pieces that name an index; some servers leave out the index, the id, or both, and some repeat
 * the name with every piece. A call ends when the next one starts, unless its arguments are still to come.
 */
function toolCallReader(): { push(value: unknown): WireEvent[]; end(): WireEvent[] } {
  let open: ReadCall[] = [];
  let count = 0;

  const close = (calls: readonly ReadCall[]): WireEvent[] => {
    open = open.filter((call) => !calls.includes(call));
    return calls.map(({ key }) => ({ type: 'tool_end', key }));
  };
  const piece = (value: unknown, position: number): WireEvent[] => {
    const told = countAt(value, 'index');
    const index = told ?? position;
    const id = textAt(value, 'id');
    const name = textAt(value, 'function', 'name');
    const text = textAt(value, 'function', 'arguments');
    const events: WireEvent[] = [];
    let call = open.findLast((candidate) => candidate.index === index);
    const another = (than: ReadCall) =>
      id ? id !== than.id : told === undefined && text !== '' && isJsonObject(than.text);
    if (name && (!call || another(call))) {
      events.push(...close(open.filter((candidate) => isJsonObject(candidate.text))));
      const given = id || newId('call');
      call = { key: `${count++}`, index, id: given, text: '' };
      open.push(call);
      const extra = at(value, 'extra_content') as Replay[string] | undefined;
      const replay = extra ? { replay: { extra_content: extra } } : {};
      events.push({ type: 'tool_start', key: call.key, id: given, name, ...replay });
    }
    if (!call || !text) return events;
    call.text += text;
    return [...events, { type: 'tool_arguments', key: call.key, text }];
  };
  return {
    push: (value) => (Array.isArray(value) ? value.flatMap(piece) : []),
    end: () => close(open),
  };
}

/** Pieces of one reasoning detail share an index: their texts are joined, their other fields kept. */
function addDetail(details: Json[], piece: unknown): void {
  if (!isRecord(piece)) return;
  const same = details.find(
    ({ index, type, id }) =>
      index === piece.index && type === piece.type && (id === piece.id || id == null || piece.id == null),
  );
  if (!same) return void details.push({ ...piece });
  for (const [key, value] of Object.entries(piece)) {
    const joins = (key === 'text' || key === 'summary' || key === 'data') && typeof value === 'string';
    if (joins) same[key] = `${(same[key] as string | undefined) ?? ''}${value}`;
    else if (value !== null && value !== undefined) same[key] = value;
  }
}

function usageOf(data: unknown): Usage {
  const prompt = countAt(data, 'prompt_tokens') ?? 0;
  const read =
    countAt(data, 'prompt_tokens_details', 'cached_tokens') ?? countAt(data, 'prompt_cache_hit_tokens') ?? 0;
  const write = countAt(data, 'prompt_tokens_details', 'cache_write_tokens') ?? 0;
  return {
    input: Math.max(0, prompt - read - write),
    output: countAt(data, 'completion_tokens') ?? 0,
    cacheRead: read,
    cacheWrite: write,
    reasoning: countAt(data, 'completion_tokens_details', 'reasoning_tokens') ?? 0,
  };
}
