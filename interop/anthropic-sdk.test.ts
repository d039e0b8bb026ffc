import Anthropic, { BadRequestError } from '@anthropic-ai/sdk';
import type {
  ContentBlockParam,
  MessageParam,
  MessageCreateParamsBase,
  ToolUseBlock,
} from '@anthropic-ai/sdk/resources/messages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../testkit/model-server/model-server.ts';
import {
  conversation,
  FIRST,
  PIXEL,
  QUESTION,
  RESULTS,
  SECOND,
  SYSTEM,
  TOOL_SCHEMAS,
} from './scripted-conversation.ts';

let server: ModelServer;
let client: Anthropic;
beforeEach(async () => {
  server = await startModelServer({ script: conversation });
  client = new Anthropic({ apiKey: 'key-one', baseURL: server.url, maxRetries: 0 });
});
afterEach(() => server.close());

const cache_control = { type: 'ephemeral' as const };
const opening: MessageParam = {
  role: 'user',
  content: [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
    { type: 'text', text: QUESTION, cache_control },
  ],
};

const params = (
  messages: MessageParam[],
  more: Partial<MessageCreateParamsBase> = {},
): MessageCreateParamsBase => ({
  model: 'claude-x',
  max_tokens: 4096,
  thinking: { type: 'enabled', budget_tokens: 1024 },
  system: [{ type: 'text', text: SYSTEM, cache_control }],
  tools: TOOL_SCHEMAS.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
  messages,
  ...more,
});

const run = (messages: MessageParam[], more: Partial<MessageCreateParamsBase> = {}) =>
  client.messages.stream(params(messages, more)).finalMessage();

const callsIn = (content: readonly { type: string }[]) =>
  content.filter((block): block is ToolUseBlock => block.type === 'tool_use');

const resultsFor = (calls: readonly ToolUseBlock[]): MessageParam => ({
  role: 'user',
  content: calls.map((call, index) => ({
    type: 'tool_result',
    tool_use_id: call.id,
    content: RESULTS[index] as string,
  })),
});

describe('the Anthropic SDK', () => {
  it('reads back a conversation with thinking, an image and two parallel tool calls', async () => {
    const first = await run([opening]);
    const calls = callsIn(first.content);
    expect(first.content.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use']);
    expect(first.content[0]).toMatchObject({ thinking: FIRST.thinking });
    expect(first.content[1]).toMatchObject({ text: FIRST.text });
    expect(calls.map(({ name, input }) => ({ name, arguments: input }))).toEqual(FIRST.calls);
    expect(first.stop_reason).toBe('tool_use');

    const second = await run([opening, { role: 'assistant', content: first.content }, resultsFor(calls)]);
    expect(second.content).toMatchObject([
      { type: 'thinking', thinking: SECOND.thinking },
      { type: 'text', text: SECOND.text },
    ]);
    expect(second.stop_reason).toBe('end_turn');
  });

  it('caches only up to markers, and counts each token once', async () => {
    const { usage } = await run([opening]);
    const again = (await run([opening])).usage;
    expect(usage.cache_read_input_tokens).toBe(0);
    expect(usage.cache_creation_input_tokens).toBeGreaterThan(200);
    expect(again.cache_read_input_tokens).toBe(usage.cache_creation_input_tokens);
    expect(again.cache_creation_input_tokens).toBe(0);
    const unmarked = await run([{ role: 'user', content: 'Something else' }], { system: SYSTEM });
    expect(unmarked.usage).toMatchObject({ cache_read_input_tokens: 0, cache_creation_input_tokens: 0 });
  });

  it('sends redacted thinking and reads it back', async () => {
    server.script({ rules: [], fallback: { redactedThinking: 'b3BhcXVl', text: 'done' } });
    const { content } = await run([opening]);
    expect(content).toMatchObject([{ type: 'redacted_thinking', data: 'b3BhcXVl' }, { type: 'text' }]);
  });

  it('answers without streaming', async () => {
    const message = await client.messages.create({ ...params([opening]), stream: false });
    expect(callsIn(message.content)[1]?.input).toEqual(FIRST.calls[1].arguments);
  });

  it('lists models in its own shape', async () => {
    server.script({ models: [{ id: 'claude-x', contextWindow: 1000 }], rules: [] });
    const { data } = await client.models.list();
    expect(data).toMatchObject([{ type: 'model', id: 'claude-x', max_input_tokens: 1000 }]);
  });
});

const marked = (ttls: ('5m' | '1h')[]): MessageParam => ({
  role: 'user',
  content: ttls.map((ttl, index) => ({
    type: 'text',
    text: `part ${index}`,
    cache_control: { type: 'ephemeral', ttl },
  })),
});

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof BadRequestError ? error.message : error),
  );

describe('what the Messages API refuses', () => {
  it.each([
    ['no max_tokens', { max_tokens: undefined }, /max_tokens: Field required/],
    ['a budget that leaves no room', { max_tokens: 1024 }, /must be greater than `thinking.budget_tokens`/],
    ['temperature with thinking', { temperature: 0.2 }, /`temperature` may only be set to 1/],
  ])('%s', async (_, more, expected) => {
    const body = { ...params([opening]), ...more } as MessageCreateParamsBase;
    expect(await refusal(client.messages.stream(body).finalMessage())).toMatch(expected);
  });

  it('a tool loop without its thinking, with altered thinking, or with a result missing', async () => {
    const { content } = await run([opening]);
    const calls = callsIn(content);
    const next = (blocks: MessageParam['content'], results = resultsFor(calls)) =>
      refusal(run([opening, { role: 'assistant', content: blocks }, results]));

    expect(await next(content)).toBe('accepted');
    expect(await next(content.filter((block) => block.type !== 'thinking'))).toMatch(
      /messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `text`/,
    );
    const altered = content.map((block) =>
      block.type === 'thinking' ? { ...block, thinking: 'else' } : block,
    );
    expect(await next(altered)).toMatch(/cannot be modified/);
    const forged = content.map((block) =>
      block.type === 'thinking' ? { ...block, signature: 'abc' } : block,
    );
    expect(await next(forged)).toMatch(/Invalid `signature` in `thinking` block/);
    expect(await next(content, resultsFor(calls.slice(0, 1)))).toMatch(
      new RegExp(`messages\\.1: .tool_use. ids were found without .tool_result. blocks.*${calls[1]?.id}`),
    );
  });

  it('text before the results, but not results in messages of their own', async () => {
    const { content } = await run([opening]);
    const results = resultsFor(callsIn(content)).content as ContentBlockParam[];
    const said: MessageParam = { role: 'assistant', content };
    const note = { type: 'text' as const, text: 'here' };
    const late: MessageParam = { role: 'user', content: [note, ...results] };
    expect(await refusal(run([opening, said, late]))).toMatch(/ids were found without `tool_result`/);
    const apart = results.map((result): MessageParam => ({ role: 'user', content: [result] }));
    expect(await refusal(run([opening, said, ...apart, { role: 'user', content: [note] }]))).toBe('accepted');
  });

  it('lets a call pass that was scripted without thinking', async () => {
    server.script({
      rules: [{ when: { turn: 0 }, reply: { toolCalls: [{ name: 'search_logs', arguments: {} }] } }],
      fallback: { text: 'fine' },
    });
    const { content } = await run([opening]);
    const next = await run([opening, { role: 'assistant', content }, resultsFor(callsIn(content))]);
    expect(next.content).toMatchObject([{ type: 'text', text: 'fine' }]);
  });

  it('more than four cache markers, and a long one after a short one', async () => {
    expect(await refusal(run([marked(['5m', '5m', '5m', '5m'])]))).toMatch(/maximum of 4 blocks.*Found 5/);
    expect(await refusal(run([marked(['1h'])]))).toMatch(/ttl='1h' cache_control block must not come after/);
    expect(await refusal(run([marked(['5m', '5m', '5m'])]))).toBe('accepted');
  });
});
