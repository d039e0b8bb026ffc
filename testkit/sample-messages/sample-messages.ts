import type {
  AssistantMessage,
  AssistantPart,
  ModelInfo,
  ModelRequest,
  ToolMessage,
  UserMessage,
} from '#spec/data';

/** Messages and models for the tests of encoders: short to write, complete in type. */

/** A transparent pixel. */
export const PIXEL = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;

export const modelInfo = (more: Partial<ModelInfo> = {}): ModelInfo => ({
  provider: 'acme',
  model: 'acme-1',
  protocol: 'chat_completions',
  contextWindow: 100_000,
  maxOutput: 4_000,
  images: true,
  thinking: true,
  ...more,
});

export const said = (text: string): UserMessage => ({ role: 'user', content: [{ type: 'text', text }] });

export function answered(info: ModelInfo, ...content: AssistantPart[]): AssistantMessage {
  const { provider, model, protocol } = info;
  return { role: 'assistant', content, origin: { provider, model, protocol } };
}

export const called = (id: string, args = '{"a":1}', name = 'look'): AssistantPart => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
});

export const found = (callId: string, ...content: ToolMessage['content']): ToolMessage => ({
  role: 'tool',
  callId,
  name: 'look',
  content: content.length ? content : [{ type: 'text', text: `result of ${callId}` }],
  isError: false,
});

export const asked = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: [{ text: 'Be brief.' }],
  messages: [said('Hello')],
  tools: [],
  ...more,
});

export const TOOL = { name: 'look', description: 'Looks', input: { type: 'object' } } as const;
