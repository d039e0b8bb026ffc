import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROTOCOL_IDS } from '../src/spec/data/index.ts';
import { ask, collect, modelAt } from '../test/models/endpoints.ts';

const CALLS = [
  { id: 'call_a', name: 'query_metrics', arguments: '{"service":"payment"}' },
  { id: 'call_b', name: 'search_logs', arguments: '{"query":"timeout"}' },
];

/** A server of somebody else's making, so that our client and our own server cannot be wrong in the same way. */
const other = new LLMock({ port: 0, host: '127.0.0.1' });
beforeAll(async () => {
  other.onMessage('look', { reasoning: 'Both are needed.', content: 'Looking.', toolCalls: CALLS });
  other.onMessage('hello', { content: 'Hello from elsewhere. 你好' });
  await other.start();
});
afterAll(() => other.stop());

const tools = CALLS.map(({ name }) => ({
  name,
  description: name,
  input: { type: 'object', properties: {} },
}));

describe('a server that is not ours', () => {
  it.each(PROTOCOL_IDS)('is understood over %s: text', async (protocol) => {
    const { outcome } = await collect(await modelAt({ url: other.url }, protocol), ask('hello'));
    expect(outcome).toMatchObject({ status: 'done', stop: 'end' });
    expect(outcome.message.content.at(-1)).toEqual({ type: 'text', text: 'Hello from elsewhere. 你好' });
  });

  it.each(PROTOCOL_IDS)('is understood over %s: two parallel calls', async (protocol) => {
    const { outcome } = await collect(await modelAt({ url: other.url }, protocol), ask('look', { tools }));
    expect(outcome).toMatchObject({ status: 'done', stop: 'tool_calls' });
    const calls = outcome.message.content.filter((part) => part.type === 'tool_call');
    expect(calls.map(({ name, arguments: text }) => ({ name, input: JSON.parse(text) }))).toEqual(
      CALLS.map(({ name, arguments: text }) => ({ name, input: JSON.parse(text) })),
    );
    expect(outcome.message.content.find((part) => part.type === 'text')).toEqual({
      type: 'text',
      text: 'Looking.',
    });
  });
});
