import type {
  AssistantMessage,
  Message,
  ModelInfo,
  ModelRequest,
  StopReason,
  Usage,
  UserPart,
} from '#spec/data';
import { type Decoder, defineProtocol, type WireEvent } from '#spec/ports';
import { planCache } from '#kit/cache-plan';
import { claudeThinking, takesTemperature } from '../wire/claude-thinking.ts';
import { argumentsObject, at, countAt, replayFor, textAt, callName } from '../wire/content.ts';
import { type Block, toTurns } from '../wire/turns.ts';

const STOPS: Readonly<Record<string, StopReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

export const protocol = defineProtocol({
  id: 'anthropic_messages',
  framing: 'sse',
  encode: (request, { info }) => {
    const maxOutput = request.maxOutput ?? info.maxOutput;
    const thinking = claudeThinking(info, request.thinking, maxOutput);
    const temperature = request.temperature !== undefined && takesTemperature(info, request.thinking);
    const budgeted = at(thinking, 'thinking', 'type') === 'enabled' && request.tools.length > 0;
    return {
      path: '/messages',
      headers: {
        'anthropic-version': '2023-06-01',
        ...(budgeted ? { 'anthropic-beta': 'interleaved-thinking-2025-05-14' } : {}),
      },
      body: {
        model: info.model,
        max_tokens: maxOutput,
        stream: true,
        ...encodePrompt(request, info),
        ...thinking,
        ...(temperature ? { temperature: request.temperature } : {}),
      },
    };
  },
  decoder: () => decoder(),
  vendorError: (body) => ({ message: textAt(body, 'error', 'message'), code: textAt(body, 'error', 'type') }),
});

function encodePrompt(request: ModelRequest, info: ModelInfo): Record<string, unknown> {
  const plan = planCache(request);
  const mark = { cache_control: { type: 'ephemeral', ...(request.cacheTtl === '1h' ? { ttl: '1h' } : {}) } };
  const marked = (block: Block, on: boolean): Block => (on ? { ...block, ...mark } : block);

  const tools = request.tools.map((tool, index) =>
    marked(
      { name: tool.name, description: tool.description, input_schema: tool.input },
      plan.tools && index === request.tools.length - 1,
    ),
  );
  const system = request.system.map((block, index) =>
    marked({ type: 'text', text: block.text }, plan.system.has(index)),
  );
  const messages = toTurns(request.messages, (message, index) => {
    const blocks = encodeMessage(message, info);
    const last = blocks.length - 1;
    return blocks.map((block, position) => marked(block, position === last && plan.messages.has(index)));
  });
  return { ...(tools.length ? { tools } : {}), ...(system.length ? { system } : {}), messages };
}

function encodeMessage(message: Message, info: ModelInfo): Block[] {
  if (message.role === 'assistant') return assistantBlocks(message, info);
  const content = message.content.map(userBlock);
  if (message.role === 'user') return content;
  return [{ type: 'tool_result', tool_use_id: message.callId, content, is_error: message.isError }];
}

const userBlock = (part: UserPart): Block =>
  part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } };

function assistantBlocks(message: AssistantMessage, info: ModelInfo): Block[] {
  return message.content.flatMap((part): Block[] => {
    switch (part.type) {
      case 'text':
        return part.text ? [{ type: 'text', text: part.text }] : [];
      case 'tool_call':
        return [
          {
            type: 'tool_use',
            id: part.id,
            name: callName(part.name),
            input: argumentsObject(part.arguments),
          },
        ];
      case 'thinking': {
        const replay = replayFor(info, message, part);
        if (replay?.redacted) return [{ type: 'redacted_thinking', data: replay.redacted }];
        return replay?.signature
          ? [{ type: 'thinking', thinking: part.text, signature: replay.signature }]
          : [];
      }
    }
  });
}

function decoder(): Decoder {
  const kinds = new Map<unknown, string>();
  let signature = '';
  const started = (data: unknown): WireEvent[] => {
    const key = countAt(data, 'index') ?? 0;
    const type = textAt(data, 'content_block', 'type');
    kinds.set(key, type);
    if (type === 'tool_use') {
      const id = textAt(data, 'content_block', 'id');
      return [{ type: 'tool_start', key, id, name: textAt(data, 'content_block', 'name') }];
    }
    if (type === 'redacted_thinking') {
      return [{ type: 'thinking_end', replay: { redacted: textAt(data, 'content_block', 'data') } }];
    }
    signature = '';
    return [];
  };
  const changed = (data: unknown): WireEvent[] => {
    switch (textAt(data, 'delta', 'type')) {
      case 'text_delta':
        return [{ type: 'text', text: textAt(data, 'delta', 'text') }];
      case 'thinking_delta':
        return [{ type: 'thinking', text: textAt(data, 'delta', 'thinking') }];
      case 'signature_delta':
        signature += textAt(data, 'delta', 'signature');
        return [];
      case 'input_json_delta':
        return [
          {
            type: 'tool_arguments',
            key: countAt(data, 'index') ?? 0,
            text: textAt(data, 'delta', 'partial_json'),
          },
        ];
      default:
        return [];
    }
  };
  const stopped = (data: unknown): WireEvent[] => {
    const key = countAt(data, 'index') ?? 0;
    const kind = kinds.get(key);
    if (kind === 'tool_use') return [{ type: 'tool_end', key }];
    return kind === 'thinking'
      ? [{ type: 'thinking_end', ...(signature ? { replay: { signature } } : {}) }]
      : [];
  };
  return {
    push: ({ data }) => {
      switch (textAt(data, 'type')) {
        case 'message_start':
          return [{ type: 'usage', usage: usageOf(at(data, 'message', 'usage')) }];
        case 'content_block_start':
          return started(data);
        case 'content_block_delta':
          return changed(data);
        case 'content_block_stop':
          return stopped(data);
        case 'message_delta': {
          const reason = STOPS[textAt(data, 'delta', 'stop_reason')] ?? 'end';
          return [
            { type: 'usage', usage: usageOf(at(data, 'usage')) },
            { type: 'stop', reason },
          ];
        }
        case 'message_stop':
          return [{ type: 'complete' }];
        case 'error':
          return [{ type: 'error', error: protocol.vendorError(data) }];
        default:
          return [];
      }
    },
  };
}

/** Later reports are cumulative and may leave out what has not changed. */
function usageOf(data: unknown): Partial<Usage> {
  const found: Record<keyof Omit<Usage, 'reasoning'>, number | undefined> = {
    input: countAt(data, 'input_tokens'),
    output: countAt(data, 'output_tokens'),
    cacheRead: countAt(data, 'cache_read_input_tokens'),
    cacheWrite: countAt(data, 'cache_creation_input_tokens'),
  };
  const reasoning = countAt(data, 'output_tokens_details', 'thinking_tokens');
  const known = Object.entries({ ...found, reasoning }).filter(([, count]) => count !== undefined);
  return Object.fromEntries(known);
}
