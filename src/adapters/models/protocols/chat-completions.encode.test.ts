import { describe, expect, it } from 'vitest';
import type { ModelInfo, ModelRequest } from '#spec/data';
import type { ChatDialect } from '#spec/ports';
import { answered, asked, called, found, modelInfo, PIXEL, said, TOOL } from '#testkit/sample-messages';
import { protocol } from './chat-completions.ts';

const INFO = modelInfo();
type Body = Record<string, unknown> & { messages: Record<string, unknown>[] };

const encode = (
  request: Partial<ModelRequest> = {},
  dialect: ChatDialect = {},
  info: ModelInfo = INFO,
): Body => protocol.encode(asked(request), { info, dialect }).body as Body;

const text = (value: string) => ({ type: 'text', text: value }) as const;
const thought = (value: string) => ({ type: 'thinking', text: value }) as const;

describe('dialects of chat_completions', () => {
  it('follow OpenAI where nothing is said', () => {
    expect(encode({ maxOutput: 10, thinking: 'low', temperature: 0, cacheKey: 'k', cacheTtl: '5m' })).toEqual(
      {
        model: 'acme-1',
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
        ],
        max_completion_tokens: 10,
        temperature: 0,
        reasoning_effort: 'low',
      },
    );
  });

  it('maxTokens names the field of the output limit', () => {
    expect(encode({ maxOutput: 10 }, { maxTokens: 'max_tokens' })).toMatchObject({ max_tokens: 10 });
    expect(encode({ maxOutput: 10 }, { maxTokens: 'max_completion_tokens' })).not.toHaveProperty(
      'max_tokens',
    );
  });

  it.each([
    ['reasoning_effort', { reasoning_effort: 'high' }, {}],
    ['reasoning', { reasoning: { effort: 'high' } }, {}],
    ['thinking', { thinking: { type: 'enabled' } }, { thinking: { type: 'disabled' } }],
    ['enable_thinking', { enable_thinking: true }, { enable_thinking: false }],
    ['none', {}, {}],
  ] as const)('thinking: %s', (thinking, on, off) => {
    const fields = (body: Body) =>
      Object.fromEntries(Object.entries(body).filter(([name]) => /reason|think/.test(name)));
    expect(fields(encode({ thinking: 'high' }, { thinking }))).toEqual(on);
    expect(fields(encode({ thinking: 'off' }, { thinking }))).toEqual(off);
    expect(fields(encode({}, { thinking }))).toEqual(off);
    expect(fields(encode({ thinking: 'high' }, { thinking }, modelInfo({ thinking: false })))).toEqual({});
  });

  it('thinkingField and replaysThinking say where thinking goes back, if at all', () => {
    const messages = [said('a'), answered(INFO, thought('one '), thought('two'), called('c')), found('c')];
    const turn = (dialect: ChatDialect) => encode({ messages }, dialect).messages[2];
    expect(turn({})).not.toHaveProperty('reasoning_content');
    expect(turn({ replaysThinking: true })).toMatchObject({ reasoning_content: 'one two' });
    const renamed = turn({ replaysThinking: true, thinkingField: 'reasoning' });
    expect(renamed).toMatchObject({ reasoning: 'one two' });
    expect(renamed).not.toHaveProperty('reasoning_content');
    const plain = [said('a'), answered(INFO, text('b')), said('c')];
    expect(encode({ messages: plain }, { replaysThinking: true }).messages[2]).toEqual({
      role: 'assistant',
      content: 'b',
    });
  });

  it('cacheKey sends the key of the conversation', () => {
    expect(encode({ cacheKey: 'k' }, { cacheKey: true })).toMatchObject({ prompt_cache_key: 'k' });
    expect(encode({}, { cacheKey: true })).not.toHaveProperty('prompt_cache_key');
  });

  it('noStreamOptions leaves them out', () => {
    expect(encode({}, { noStreamOptions: true })).not.toHaveProperty('stream_options');
  });

  it('cacheControl marks the ends of the prompt and of the last two inputs', () => {
    const system = [{ text: 'stable' }, { text: 'middle' }, { text: 'session' }];
    const messages = [
      said('a'),
      answered(INFO, text('b')),
      said('c'),
      answered(INFO, called('c1')),
      found('c1'),
    ];
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(encode({ system, messages, cacheTtl: '5m' }, { cacheControl: true }).messages).toEqual([
      {
        role: 'system',
        content: [{ ...text('stable'), ...mark }, text('middle'), { ...text('session'), ...mark }],
      },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: [{ ...text('c'), ...mark }] },
      expect.objectContaining({ role: 'assistant', content: null }),
      { role: 'tool', tool_call_id: 'c1', content: [{ ...text('result of c1'), ...mark }] },
    ]);
  });

  it('cacheControl for an hour, on the last part of a message, and never more than four times', () => {
    const messages = [said('a'), answered(INFO, text('b')), said('c'), answered(INFO, text('d'))];
    messages.push({ role: 'user', content: [text('see'), PIXEL] });
    const body = encode({ messages, tools: [TOOL], cacheTtl: '1h' }, { cacheControl: true });
    const marks = JSON.stringify(body).match(/"cache_control":\{"type":"ephemeral","ttl":"1h"\}/g);
    expect(marks).toHaveLength(3);
    expect(body.messages.at(-1)?.content).toMatchObject([{ type: 'text' }, { cache_control: { ttl: '1h' } }]);
    expect(JSON.stringify(encode({ messages, cacheTtl: 'off' }, { cacheControl: true }))).not.toContain(
      'cache_control',
    );
  });
});

describe('messages of chat_completions', () => {
  it('carry images as data URLs', () => {
    const [, user] = encode({ messages: [{ role: 'user', content: [text('see'), PIXEL] }] }).messages;
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    expect(user?.content).toEqual([text('see'), { type: 'image_url', image_url: { url } }]);
  });

  it('carry the images of a run of results in one user message after it', () => {
    const messages = [
      said('a'),
      answered(INFO, called('c1'), called('c2')),
      found('c1', text('one'), PIXEL),
      found('c2', PIXEL),
      answered(INFO, text('b')),
    ];
    const sent = encode({ messages }).messages;
    expect(sent.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
      'assistant',
    ]);
    expect(sent[3]?.content).toBe('one');
    expect(sent[5]?.content).toMatchObject([{ type: 'image_url' }, { type: 'image_url' }]);
  });

  it('replay arguments as they were written, and garbled ones as none', () => {
    const messages = [answered(INFO, called('c1', '{ "a": 1 }'), called('c2', '{"a":'), called('c3', ''))];
    const calls = encode({ system: [], messages }).messages[0]?.tool_calls as {
      function: { arguments: string };
    }[];
    expect(calls.map((call) => call.function.arguments)).toEqual(['{ "a": 1 }', '{}', '{}']);
  });

  it('say null where calls stand without a text, and nothing where nothing was said', () => {
    const content = (...messages: ModelRequest['messages']) =>
      encode({ system: [], messages }).messages[0]?.content;
    expect(content(answered(INFO, called('c')))).toBeNull();
    expect(content(answered(INFO))).toBe('');
  });

  it('carry extra_content and reasoning_details back to where they came from, and nowhere else', () => {
    const extra_content = { google: { thought_signature: 'sig' } };
    const reasoning_details = [{ type: 'reasoning.text', text: 'hm', signature: 's', index: 0 }];
    const message = answered(
      INFO,
      { ...thought('hm'), replay: { reasoning_details } },
      {
        ...called('c'),
        type: 'tool_call',
        id: 'c',
        name: 'look',
        arguments: '{"a":1}',
        replay: { extra_content },
      },
    );
    const turn = (info: ModelInfo) => encode({ system: [], messages: [message] }, {}, info).messages[0];
    expect(turn(INFO)).toMatchObject({ reasoning_details, tool_calls: [{ id: 'c', extra_content }] });
    for (const elsewhere of [modelInfo({ model: 'acme-2' }), modelInfo({ provider: 'other' })]) {
      expect(turn(elsewhere)).not.toHaveProperty('reasoning_details');
      expect(JSON.stringify(turn(elsewhere))).not.toContain('sig');
    }
  });

  it('begin with the same bytes in a longer conversation', () => {
    const short = [said('a'), answered(INFO, thought('hm'), called('c1')), found('c1', text('r'), PIXEL)];
    const long = [...short, answered(INFO, text('b')), said('c'), answered(INFO, called('c2')), found('c2')];
    const dialect = { cacheKey: true, replaysThinking: true };
    const json = (messages: ModelRequest['messages']) =>
      JSON.stringify(encode({ messages, tools: [TOOL], cacheTtl: '5m', cacheKey: 'k' }, dialect));
    const shared = json(short).slice(0, json(short).indexOf(']', json(short).lastIndexOf('image_url')) + 2);
    expect(shared.length).toBeGreaterThan(300);
    expect(json(long).startsWith(shared)).toBe(true);
  });
});

describe('errors of chat_completions', () => {
  it.each([
    [{ error: { message: 'm', code: 'c', type: 't' } }, { message: 'm', code: 'c' }],
    [{ error: { message: 'm', code: null, type: 't' } }, { message: 'm', code: 't' }],
    [{ error: { message: 'm', code: 429 } }, { message: 'm', code: '429' }],
    [[{ error: { message: 'Google', code: 400 } }], { message: 'Google', code: '400' }],
    [{ error: 'plain' }, { message: 'plain' }],
    [{ detail: 'not found' }, { message: 'not found' }],
    [
      { message: 'm', code: 'c' },
      { message: 'm', code: 'c' },
    ],
    [undefined, { message: '' }],
  ])('are read from %j', (body, error) => {
    expect(protocol.vendorError(body)).toEqual(error);
  });
});
