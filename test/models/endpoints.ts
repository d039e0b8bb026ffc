import { describeModel, locate, openEndpoint, type Timeouts, wireModel } from '#adapters/models';
import type { ModelEvent, ModelOutcome, ModelRequest, ProtocolId, UserMessage } from '#spec/data';
import type { Credential, Model, Provider } from '#spec/ports';
import type { ModelServer } from '#testkit/model-server';

/** A model of each protocol whose name and abilities suit the scripted server. */
export const MODELS: Readonly<Record<ProtocolId, string>> = {
  chat_completions: 'deepseek-reasoner',
  codex_responses: 'gpt-5',
  anthropic_messages: 'claude-sonnet-4-5',
  bedrock_converse: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
};

const PATIENT: Timeouts = { firstByte: 5_000, stall: 5_000, total: 10_000 };

function providerAt(server: Pick<ModelServer, 'url'>, protocol: ProtocolId, id: string = protocol): Provider {
  const base = protocol === 'bedrock_converse' ? server.url : `${server.url}/v1`;
  return {
    id,
    label: id,
    endpoints: { [protocol]: base },
    auth:
      protocol === 'anthropic_messages' ? 'x-api-key' : protocol === 'bedrock_converse' ? 'aws' : 'bearer',
    keys: [],
    dialect: { cacheKey: true, replaysThinking: true },
  };
}

export const credential = (secret = 'test-key-1', label = 'TEST_KEY'): Credential => ({
  id: label,
  label,
  secret,
});

/** A model of the scripted server, reached as a user's configuration would reach it. */
export async function modelAt(
  server: Pick<ModelServer, 'url'>,
  protocol: ProtocolId,
  options: { timeouts?: Timeouts; key?: Credential; model?: string; id?: string } = {},
): Promise<Model> {
  const provider = providerAt(server, protocol, options.id);
  const model = options.model ?? MODELS[protocol];
  const place = locate(provider, model, { protocol }, {});
  const info = { ...describeModel(provider, model, place.protocol, {}), thinking: true };
  const endpoint = await openEndpoint(provider, info, place.baseUrl, options.timeouts ?? PATIENT, {});
  return wireModel(endpoint, options.key ?? credential());
}

const user = (text: string): UserMessage => ({ role: 'user', content: [{ type: 'text', text }] });

export const ask = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: [{ text: 'Be brief.' }],
  messages: [user(text)],
  tools: [],
  ...more,
});

export async function collect(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ events: ModelEvent[]; outcome: ModelOutcome }> {
  const stream = model.stream(request, signal);
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return { events, outcome: await stream.result() };
}
