import { PROTOCOL_IDS } from '#spec/data';
import { describe, expect, it } from 'vitest';
import { RAW_REQUESTS } from '#support/testkit/raw-call';
import { createMatcher } from './match-rule.ts';
import { anthropicMessages } from './protocols/anthropic-messages.ts';
import { bedrockConverse } from './protocols/bedrock-converse.ts';
import { chatCompletions } from './protocols/chat-completions.ts';
import { codexResponses } from './protocols/codex-responses.ts';
import type { Rule } from './script.ts';
import type { NormalRequest } from './wire-protocol.ts';

const chat = (...messages: object[]): NormalRequest =>
  chatCompletions.normalise({ model: 'm', messages }, {});
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (...calls: [id: string, name: string][]) => ({
  role: 'assistant',
  content: 'ok',
  tool_calls: calls.map(([id, name]) => ({ id, type: 'function', function: { name, arguments: '{}' } })),
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'done' });
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

const matches = (when: Rule['when'], request: NormalRequest) =>
  createMatcher({ rules: [{ when, reply: { text: 'yes' } }] }).match(request).rule === 0;

describe('when', () => {
  const inLoop = chat(
    user('Check PAYMENTS'),
    assistant(['1', 'logs'], ['2', 'metrics']),
    result('1'),
    result('2'),
  );

  it.each([
    ['text of the last user message, in any case', { contains: 'payments' }, true],
    ['text of another message', { contains: 'done' }, false],
    ['a regular expression', { matches: '^check\\s+p' }, true],
    ['the model', { model: 'm' }, true],
    ['another model', { model: 'n' }, false],
    ['another protocol', { protocol: 'bedrock_converse' }, false],
    ['the tool of the last result', { afterTool: 'metrics' }, true],
    ['the tool of a parallel result', { afterTool: 'logs' }, true],
    ['a tool that has not answered', { afterTool: 'deploys' }, false],
    ['the number of answers before', { turn: 1 }, true],
    ['no image', { hasImage: false }, true],
    ['all of them together', { contains: 'check', turn: 1, model: 'n' }, false],
  ] as const)('%s', (_, when, expected) => {
    expect(matches(when, inLoop)).toBe(expected);
  });

  it('sees images since the user last spoke', () => {
    const asked = user([{ type: 'text', text: 'look' }, image]);
    expect(matches({ hasImage: true }, chat(asked))).toBe(true);
    expect(
      matches({ hasImage: true }, chat(asked, { role: 'assistant', content: 'ok' }, user('thanks'))),
    ).toBe(false);
  });

  it('no longer takes a result for the last message once the user has spoken', () => {
    expect(
      matches({ afterTool: 'logs' }, chat(user('a'), assistant(['1', 'logs']), result('1'), user('b'))),
    ).toBe(false);
  });
});

describe('a matcher', () => {
  const ask = chat(user('hello'));

  it('takes the first rule that holds, and none that is used up', () => {
    const matcher = createMatcher({
      rules: [
        { when: { contains: 'bye' }, reply: { text: 'no' } },
        { when: { contains: 'hello' }, reply: { text: 'once' }, times: 1 },
        { when: {}, reply: { text: 'then' } },
      ],
    });
    const said = [1, 2, 3].map(() => {
      const match = matcher.match(ask);
      matcher.use(match, true);
      return match.reply.text;
    });
    expect(said).toEqual(['once', 'then', 'then']);
  });

  it('gives a list one by one, repeats the last, and gives again what did not go out whole', () => {
    const matcher = createMatcher({
      rules: [{ when: {}, reply: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] }],
    });
    const said = [true, false, true, true, true].map((answered) => {
      const match = matcher.match(ask);
      matcher.use(match, answered);
      return match.reply.text;
    });
    expect(said).toEqual(['a', 'b', 'b', 'c', 'c']);
  });

  it('fills in what the user said, and echoes in the language of the user', () => {
    const fallback = { text: '{{model}} heard {{user}} and {{images}} images, {{other}}' };
    expect(createMatcher({ rules: [], fallback }).match(ask).reply.text).toBe(
      'm heard hello and 0 images, {{other}}',
    );
    const echo = createMatcher({ rules: [] });
    expect(echo.match(ask).reply.text).toMatch(/repeats what you said.*hello/s);
    expect(echo.match(chat(user('你好'))).reply.text).toMatch(/重复你说的话.*你好/s);
  });
});

describe('normalising', () => {
  const call = { id: 'c1', name: 'logs', arguments: '{"q":"x"}' };
  const requests: Record<(typeof PROTOCOL_IDS)[number], NormalRequest> = {
    chat_completions: chatCompletions.normalise(
      {
        model: 'm',
        stream: true,
        tools: [{ type: 'function', function: { name: 'logs' } }],
        messages: [
          { role: 'system', content: 'be brief' },
          user([{ type: 'text', text: 'look' }, image]),
          { role: 'assistant', content: 'ok', tool_calls: [{ id: 'c1', function: call }] },
          { role: 'tool', tool_call_id: 'c1', content: 'found' },
        ],
      },
      {},
    ),
    codex_responses: codexResponses.normalise(
      {
        model: 'm',
        stream: true,
        instructions: 'be brief',
        tools: [{ type: 'function', name: 'logs' }],
        input: [
          user([
            { type: 'input_text', text: 'look' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
          ]),
          { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'e' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
          { type: 'function_call', call_id: 'c1', name: 'logs', arguments: call.arguments },
          { type: 'function_call_output', call_id: 'c1', output: 'found' },
        ],
      },
      {},
    ),
    anthropic_messages: anthropicMessages.normalise(
      {
        model: 'm',
        stream: true,
        system: [{ type: 'text', text: 'be brief' }],
        tools: [{ name: 'logs' }],
        messages: [
          user([
            { type: 'text', text: 'look' },
            { type: 'image', source: { data: 'AAAA' } },
          ]),
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 's' },
              { type: 'text', text: 'ok' },
              { type: 'tool_use', id: 'c1', name: 'logs', input: { q: 'x' } },
            ],
          },
          user([{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'found' }] }]),
        ],
      },
      {},
    ),
    bedrock_converse: bedrockConverse.normalise(
      {
        system: [{ text: 'be brief' }],
        toolConfig: { tools: [{ toolSpec: { name: 'logs' } }] },
        messages: [
          user([{ text: 'look' }, { image: { format: 'png', source: { bytes: 'AAAA' } } }]),
          {
            role: 'assistant',
            content: [
              { reasoningContent: { reasoningText: { text: 'hm', signature: 's' } } },
              { text: 'ok' },
              { toolUse: { toolUseId: 'c1', name: 'logs', input: { q: 'x' } } },
            ],
          },
          user([{ toolResult: { toolUseId: 'c1', content: [{ text: 'found' }] } }]),
        ],
      },
      { model: 'm', stream: true },
    ),
  };

  it.each(PROTOCOL_IDS)('%s reads as the same conversation', (protocol) => {
    const { model, system, tools, stream, messages } = requests[protocol];
    expect({ model, system, tools, stream, messages }).toEqual({
      model: 'm',
      system: 'be brief',
      tools: ['logs'],
      stream: true,
      messages: [
        { role: 'user', text: 'look', calls: [], images: 1 },
        { role: 'assistant', text: 'ok', calls: [call], images: 0 },
        { role: 'tool', text: 'found', calls: [], images: 0, callId: 'c1', toolName: 'logs' },
      ],
    });
  });

  it('takes the model from the path of an Azure deployment', () => {
    const path = '/openai/deployments/my%20gpt/chat/completions';
    const route = chatCompletions.route(path) ?? {};
    expect(chatCompletions.normalise(RAW_REQUESTS.chat_completions.body, route).model).toBe('my gpt');
    expect(chatCompletions.route('/openai/v1/chat/completions')).toEqual({});
  });
});
