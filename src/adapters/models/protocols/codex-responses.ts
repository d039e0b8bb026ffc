import { isRecord } from '#kit/is-record';
import type { AssistantMessage, Message, ModelInfo, Replay, UserPart } from '#spec/data';
import { type Decoder, defineProtocol, type VendorError, type WireEvent } from '#spec/ports';
import { argumentsText, at, countAt, dataUrl, replayFor, textAt, textOf, callName } from '../wire/content.ts';

type Json = Record<string, unknown>;

export const protocol = defineProtocol({
  id: 'codex_responses',
  framing: 'sse',
  encode: (request, { info }) => {
    const thinks = info.thinking;
    const level = request.thinking ?? 'off';
    const effort = level === 'off' ? {} : { reasoning: { effort: level, summary: 'auto' } };
    return {
      path: '/responses',
      body: {
        model: info.model,
        stream: true,
        store: false,
        ...(request.system.length
          ? { instructions: request.system.map((block) => block.text).join('\n\n') }
          : {}),
        ...(request.tools.length
          ? {
              tools: request.tools.map((tool) => ({
                type: 'function',
                name: tool.name,
                description: tool.description,
                parameters: tool.input,
                strict: false,
              })),
            }
          : {}),
        input: request.messages.flatMap((message) => encodeMessage(message, info)),
        ...(request.maxOutput ? { max_output_tokens: request.maxOutput } : {}),
        ...(request.cacheKey ? { prompt_cache_key: request.cacheKey } : {}),
        ...(thinks ? { include: ['reasoning.encrypted_content'], ...effort } : {}),
        ...(thinks || request.temperature === undefined ? {} : { temperature: request.temperature }),
      },
    };
  },
  decoder: () => decoder(),
  vendorError: (body) => errorOf(at(body, 'error') ?? body),
});

function encodeMessage(message: Message, info: ModelInfo): Json[] {
  if (message.role === 'user') return [{ role: 'user', content: message.content.map(inputPart) }];
  if (message.role === 'assistant') return encodeAssistant(message, info);
  const plain = message.content.every((part) => part.type === 'text');
  const output = plain ? textOf(message.content) : message.content.map(inputPart);
  return [{ type: 'function_call_output', call_id: message.callId, output }];
}

const inputPart = (part: UserPart): Json =>
  part.type === 'text'
    ? { type: 'input_text', text: part.text }
    : { type: 'input_image', image_url: dataUrl(part), detail: 'auto' };

function encodeAssistant(message: AssistantMessage, info: ModelInfo): Json[] {
  return message.content.flatMap((part): Json[] => {
    switch (part.type) {
      case 'text':
        return part.text
          ? [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text }] }]
          : [];
      case 'tool_call':
        return [
          {
            type: 'function_call',
            call_id: part.id,
            name: callName(part.name),
            arguments: argumentsText(part.arguments),
          },
        ];
      case 'thinking': {
        const replay = replayFor(info, message, part);
        return replay ? [{ type: 'reasoning', ...replay }] : [];
      }
    }
  });
}

function decoder(): Decoder {
  /** Calls whose arguments were not streamed get them from the finished item. */
  const streamed = new Set<number>();
  let calls = 0;

  const itemAdded = (data: unknown): WireEvent[] => {
    if (textAt(data, 'item', 'type') !== 'function_call') return [];
    calls++;
    const key = countAt(data, 'output_index') ?? 0;
    return [
      { type: 'tool_start', key, id: textAt(data, 'item', 'call_id'), name: textAt(data, 'item', 'name') },
    ];
  };
  const itemDone = (data: unknown): WireEvent[] => {
    const item = at(data, 'item');
    const type = textAt(item, 'type');
    if (type === 'reasoning') return [{ type: 'thinking_end', ...reasoningReplay(item) }];
    if (type !== 'function_call') return [];
    const key = countAt(data, 'output_index') ?? 0;
    const text = streamed.has(key) ? '' : textAt(item, 'arguments');
    return [...(text ? [{ type: 'tool_arguments', key, text } as const] : []), { type: 'tool_end', key }];
  };
  const ended = (data: unknown): WireEvent[] => {
    const response = at(data, 'response');
    const reason = textAt(response, 'incomplete_details', 'reason');
    const stop =
      reason === 'content_filter' ? 'content_filter' : reason ? 'length' : calls ? 'tool_calls' : 'end';
    return [
      { type: 'usage', usage: usageOf(at(response, 'usage')) },
      { type: 'stop', reason: stop },
      { type: 'complete' },
    ];
  };
  return {
    push: ({ data }) => {
      switch (textAt(data, 'type')) {
        case 'response.output_item.added':
          return itemAdded(data);
        case 'response.output_item.done':
          return itemDone(data);
        case 'response.reasoning_summary_part.added':
          return (countAt(data, 'summary_index') ?? 0) > 0 ? [{ type: 'thinking', text: '\n\n' }] : [];
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return [{ type: 'thinking', text: textAt(data, 'delta') }];
        case 'response.output_text.delta':
        case 'response.refusal.delta':
          return [{ type: 'text', text: textAt(data, 'delta') }];
        case 'response.function_call_arguments.delta': {
          const key = countAt(data, 'output_index') ?? 0;
          streamed.add(key);
          return [{ type: 'tool_arguments', key, text: textAt(data, 'delta') }];
        }
        case 'response.completed':
        case 'response.incomplete':
          return ended(data);
        case 'response.failed':
          return [{ type: 'error', error: errorOf(at(data, 'response', 'error')) }];
        case 'error':
          return [{ type: 'error', error: errorOf(at(data, 'error') ?? data) }];
        default:
          return [];
      }
    },
  };
}

/** The item goes back as it came, without what the server alone may set. */
function reasoningReplay(item: unknown): { replay?: Replay } {
  if (!isRecord(item) || !textAt(item, 'encrypted_content')) return {};
  const { id, summary, encrypted_content } = item as Record<
    'id' | 'summary' | 'encrypted_content',
    Replay[string]
  >;
  return { replay: { id, summary: summary ?? [], encrypted_content } };
}

function errorOf(error: unknown): VendorError {
  const code = textAt(error, 'code') || textAt(error, 'type');
  return { message: textAt(error, 'message'), ...(code ? { code } : {}) };
}

function usageOf(data: unknown) {
  const input = countAt(data, 'input_tokens') ?? 0;
  const cacheRead = countAt(data, 'input_tokens_details', 'cached_tokens') ?? 0;
  return {
    input: Math.max(0, input - cacheRead),
    output: countAt(data, 'output_tokens') ?? 0,
    cacheRead,
    cacheWrite: 0,
    reasoning: countAt(data, 'output_tokens_details', 'reasoning_tokens') ?? 0,
  };
}
