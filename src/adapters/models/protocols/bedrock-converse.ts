import type { AssistantMessage, Message, ModelInfo, ModelRequest, StopReason, UserPart } from '#spec/data';
import { type Decoder, defineProtocol, type WireEvent } from '#spec/ports';
import { planCache } from '#kit/cache-plan';
import { claudeThinking, takesTemperature } from '../wire/claude-thinking.ts';
import { argumentsObject, at, countAt, replayFor, textAt, callName } from '../wire/content.ts';
import { type Block, toTurns } from '../wire/turns.ts';

/** Other families refuse a request that holds a cache point. */
const CACHING_MODELS = /claude|nova-(micro|lite|pro|premier)/;
/** Nova takes cache points after the system prompt and messages, and refuses one after the tools. */
const CACHING_TOOLS = /claude/;
/** The families that cache for an hour: Claude from the 4.5 generation on. */
const CACHING_LONG = /claude-(?!2|3|instant|(opus|sonnet)-4-(1|20\d{6}))/;

const STOPS: Readonly<Record<string, StopReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
};

export const protocol = defineProtocol({
  id: 'bedrock_converse',
  framing: 'aws_event_stream',
  encode: (request, { info }) => {
    const maxTokens = request.maxOutput ?? info.maxOutput;
    const temperature = request.temperature !== undefined && takesTemperature(info, request.thinking);
    const thinking = claudeThinking(info, request.thinking, maxTokens);
    return {
      path: `/model/${encodeURIComponent(info.model)}/converse-stream`,
      body: {
        ...encodePrompt(request, info),
        inferenceConfig: { maxTokens, ...(temperature ? { temperature: request.temperature } : {}) },
        ...(thinking.thinking ? { additionalModelRequestFields: thinking } : {}),
      },
    };
  },
  decoder: () => decoder(),
  vendorError: (body) => {
    const code = textAt(body, 'code') || textAt(body, '__type').split('#').at(-1);
    return { message: textAt(body, 'message') || textAt(body, 'Message'), ...(code ? { code } : {}) };
  },
});

function encodePrompt(request: ModelRequest, info: ModelInfo): Record<string, unknown> {
  const plan = planCache(CACHING_MODELS.test(info.model) ? request : { ...request, cacheTtl: 'off' });
  const long = request.cacheTtl === '1h' && CACHING_LONG.test(info.model);
  const point = { cachePoint: { type: 'default', ...(long ? { ttl: '1h' } : {}) } };
  const pointIf = (on: boolean): Block[] => (on ? [point] : []);

  const tools = request.tools.map(
    (tool): Block => ({
      toolSpec: { name: tool.name, description: tool.description, inputSchema: { json: tool.input } },
    }),
  );
  const system = request.system.flatMap((block, index): Block[] => [
    { text: block.text },
    ...pointIf(plan.system.has(index)),
  ]);
  const messages = toTurns(request.messages, (message, index) => {
    const blocks = encodeMessage(message, info);
    return blocks.length ? [...blocks, ...pointIf(plan.messages.has(index))] : [];
  });
  return {
    ...(tools.length
      ? { toolConfig: { tools: [...tools, ...pointIf(plan.tools && CACHING_TOOLS.test(info.model))] } }
      : {}),
    ...(system.length ? { system } : {}),
    messages,
  };
}

function encodeMessage(message: Message, info: ModelInfo): Block[] {
  if (message.role === 'assistant') return assistantBlocks(message, info);
  const content = message.content.map(userBlock);
  if (message.role === 'user') return content;
  return [
    { toolResult: { toolUseId: message.callId, content, status: message.isError ? 'error' : 'success' } },
  ];
}

const userBlock = (part: UserPart): Block =>
  part.type === 'text'
    ? { text: part.text }
    : { image: { format: part.mediaType.slice('image/'.length), source: { bytes: part.data } } };

function assistantBlocks(message: AssistantMessage, info: ModelInfo): Block[] {
  return message.content.flatMap((part): Block[] => {
    switch (part.type) {
      case 'text':
        return part.text ? [{ text: part.text }] : [];
      case 'tool_call':
        return [
          {
            toolUse: {
              toolUseId: part.id,
              name: callName(part.name),
              input: argumentsObject(part.arguments),
            },
          },
        ];
      case 'thinking': {
        const replay = replayFor(info, message, part);
        if (replay?.redacted) return [{ reasoningContent: { redactedContent: replay.redacted } }];
        if (!replay?.signature) return [];
        return [{ reasoningContent: { reasoningText: { text: part.text, signature: replay.signature } } }];
      }
    }
  });
}

function decoder(): Decoder {
  const tools = new Set<number>();
  let thinkingBlock: number | undefined;
  let replay: Record<string, string> = {};

  const changed = (key: number, delta: unknown): WireEvent[] => {
    const reasoning = at(delta, 'reasoningContent');
    if (reasoning !== undefined) {
      thinkingBlock = key;
      const signature = textAt(reasoning, 'signature');
      const redacted = textAt(reasoning, 'redactedContent');
      if (signature) replay = { signature: (replay.signature ?? '') + signature };
      if (redacted) replay = { redacted: (replay.redacted ?? '') + redacted };
      const text = textAt(reasoning, 'text');
      return text ? [{ type: 'thinking', text }] : [];
    }
    if (at(delta, 'toolUse') !== undefined) {
      return [{ type: 'tool_arguments', key, text: textAt(delta, 'toolUse', 'input') }];
    }
    return [{ type: 'text', text: textAt(delta, 'text') }];
  };
  const stopped = (key: number): WireEvent[] => {
    if (tools.has(key)) return [{ type: 'tool_end', key }];
    if (thinkingBlock !== key) return [];
    const held = replay;
    thinkingBlock = undefined;
    replay = {};
    return [{ type: 'thinking_end', ...(Object.keys(held).length ? { replay: held } : {}) }];
  };
  return {
    push: ({ event, data }) => {
      const key = countAt(data, 'contentBlockIndex') ?? 0;
      switch (event) {
        case 'contentBlockStart': {
          const id = textAt(data, 'start', 'toolUse', 'toolUseId');
          if (!id) return [];
          tools.add(key);
          return [{ type: 'tool_start', key, id, name: textAt(data, 'start', 'toolUse', 'name') }];
        }
        case 'contentBlockDelta':
          return changed(key, at(data, 'delta'));
        case 'contentBlockStop':
          return stopped(key);
        case 'messageStop':
          return [{ type: 'stop', reason: STOPS[textAt(data, 'stopReason')] ?? 'end' }, { type: 'complete' }];
        case 'metadata':
          return [{ type: 'usage', usage: usageOf(at(data, 'usage')) }];
        case 'exception':
          return [{ type: 'error', error: protocol.vendorError(data) }];
        default:
          return [];
      }
    },
  };
}

const usageOf = (data: unknown) => ({
  input: countAt(data, 'inputTokens') ?? 0,
  output: countAt(data, 'outputTokens') ?? 0,
  cacheRead: countAt(data, 'cacheReadInputTokens') ?? 0,
  cacheWrite: countAt(data, 'cacheWriteInputTokens') ?? 0,
});
