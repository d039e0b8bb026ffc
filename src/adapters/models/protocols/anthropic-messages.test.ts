import { describe, expect, it } from 'vitest';
import type { ModelInfo, ModelRequest } from '#spec/data';
import { assemble } from '../wire/assemble.ts';
import { answered, asked, called, found, modelInfo, PIXEL, said, TOOL } from '#testkit/sample-messages';
import { protocol } from './anthropic-messages.ts';

const info = (model = 'claude-sonnet-4-5', more: Partial<ModelInfo> = {}) =>
  modelInfo({ provider: 'anthropic', model, protocol: 'anthropic_messages', ...more });
const INFO = info();

const encode = (request: Partial<ModelRequest>, model: ModelInfo = INFO) =>
  protocol.encode(asked(request), { info: model, dialect: {} });
const bodyOf = (request: Partial<ModelRequest>, model?: ModelInfo) =>
  encode(request, model).body as Record<string, unknown> & {
    messages: { role: string; content: object[] }[];
  };

const text = (value: string) => ({ type: 'text', text: value }) as const;
const signed = { type: 'thinking', text: 'hm', replay: { signature: 'sig' } } as const;
const CONVERSATION = [
  said('a'),
  answered(INFO, signed, called('c1'), called('c2')),
  found('c1'),
  found('c2', text('r'), PIXEL),
];
const LONGER = [
  ...CONVERSATION,
  answered(INFO, text('b')),
  said('c'),
  answered(INFO, called('c3')),
  found('c3'),
];

describe('cache marks of anthropic_messages', () => {
  const marked = (value: unknown): string[] => {
    const places: string[] = [];
    const walk = (here: unknown, path: string) => {
      if (typeof here !== 'object' || here === null) return;
      if ('cache_control' in here) places.push(path);
      for (const [key, inner] of Object.entries(here)) walk(inner, path ? `${path}.${key}` : key);
    };
    walk(value, '');
    return places;
  };

  it('stand after the tools, the prompt and the last two inputs when the prompt is one block', () => {
    const body = bodyOf({ messages: LONGER, tools: [{ ...TOOL, name: 'first' }, TOOL], cacheTtl: '5m' });
    expect(marked(body)).toEqual(['tools.1', 'system.0', 'messages.4.content.0', 'messages.6.content.0']);
    expect(JSON.stringify(body)).not.toContain('ttl');
  });

  it('stand after the first and the last block when the prompt has several', () => {
    const system = [{ text: 'stable' }, { text: 'middle' }, { text: 'session' }];
    const body = bodyOf({ system, messages: CONVERSATION, tools: [TOOL], cacheTtl: '1h' });
    expect(marked(body)).toEqual(['system.0', 'system.2', 'messages.0.content.0', 'messages.2.content.1']);
    expect(JSON.stringify(body).match(/"cache_control":\{"type":"ephemeral","ttl":"1h"\}/g)).toHaveLength(4);
  });

  it('are absent when caching is off', () => {
    expect(marked(bodyOf({ messages: LONGER, tools: [TOOL], cacheTtl: 'off' }))).toEqual([]);
  });

  it('are all that changes in the bytes when the conversation grows', () => {
    const json = (messages: ModelRequest['messages']) => {
      const body = bodyOf({ messages, tools: [TOOL], cacheTtl: '1h' });
      return JSON.stringify(body).replaceAll(',"cache_control":{"type":"ephemeral","ttl":"1h"}', '');
    };
    const [short, long] = [json(CONVERSATION), json(LONGER)];
    const shared = short.slice(0, short.lastIndexOf(']}]}') + 3);
    expect(shared.endsWith(']}]')).toBe(true);
    expect(long.startsWith(shared.slice(0, -1))).toBe(true);
  });
});

describe('messages of anthropic_messages', () => {
  it('carry results with images, errors, and arguments that were garbled as none', () => {
    const failed = { ...found('c2'), isError: true };
    const calls = answered(INFO, called('c1', '{"a":'), called('c2', '{"b":2}'));
    const [, assistant, user] = bodyOf({
      messages: [said('a'), calls, found('c1', text('r'), PIXEL), failed],
    }).messages;
    expect(assistant?.content).toMatchObject([{ type: 'tool_use', input: {} }, { input: { b: 2 } }]);
    const source = { type: 'base64', media_type: 'image/png', data: PIXEL.data };
    expect(user?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'c1',
        content: [text('r'), { type: 'image', source }],
        is_error: false,
      },
      { type: 'tool_result', tool_use_id: 'c2', content: [text('result of c2')], is_error: true },
    ]);
  });

  it('carry thinking only where it is signed, and only home', () => {
    const sealed = { type: 'thinking', text: '', replay: { redacted: 'AAA' } } as const;
    const message = answered(
      INFO,
      signed,
      sealed,
      { type: 'thinking', text: 'unsigned' },
      text(''),
      text('b'),
    );
    const content = (model: ModelInfo) =>
      bodyOf({ messages: [said('a'), message] }, model).messages[1]?.content;
    expect(content(INFO)).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'AAA' },
      text('b'),
    ]);
    expect(content(info('claude-opus-4-6'))).toEqual([text('b')]);
    expect(content(info('claude-sonnet-4-5', { provider: 'openrouter' }))).toEqual([text('b')]);
  });

  it('leave no empty turn behind', () => {
    const { messages } = bodyOf({ messages: [said('a'), answered(info('x'), signed), said('b')] });
    expect(messages).toEqual([{ role: 'user', content: [text('a'), text('b')] }]);
  });
});

describe('the rest of a request to anthropic_messages', () => {
  it('asks for thinking between calls where the model takes a budget', () => {
    const beta = (request: Partial<ModelRequest>, model?: ModelInfo) =>
      encode(request, model).headers?.['anthropic-beta'];
    expect(beta({ thinking: 'low', tools: [TOOL], maxOutput: 9_000 })).toMatch(/^interleaved-thinking/);
    expect(beta({ thinking: 'low', maxOutput: 9_000 })).toBeUndefined();
    expect(beta({ thinking: 'low', tools: [TOOL] }, info('claude-opus-4-6'))).toBeUndefined();
  });

  it('sends a temperature only where it is allowed, and always an output limit', () => {
    expect(bodyOf({ temperature: 0.2 })).toMatchObject({ temperature: 0.2, max_tokens: 4_000 });
    expect(bodyOf({ temperature: 0.2, thinking: 'low' })).not.toHaveProperty('temperature');
    expect(bodyOf({ temperature: 0.2, maxOutput: 7 }, info('claude-opus-4-6'))).toMatchObject({
      max_tokens: 7,
    });
    expect(bodyOf({ temperature: 0.2 }, info('claude-opus-4-6'))).not.toHaveProperty('temperature');
  });
});

describe('answers of anthropic_messages', () => {
  function decode(...frames: object[]) {
    const decoder = protocol.decoder();
    const assembly = assemble({ provider: 'a', model: 'm', protocol: 'anthropic_messages' }, () => undefined);
    for (const data of frames) for (const event of decoder.push({ event: '', data })) assembly.add(event);
    return { assembly, content: assembly.message().content };
  }
  const start = (index: number, content_block: object) => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const delta = (index: number, value: object) => ({ type: 'content_block_delta', index, delta: value });
  const stop = (index: number) => ({ type: 'content_block_stop', index });

  it('keep a signature that comes in pieces, and sealed thinking, each with its own part', () => {
    const { content } = decode(
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      delta(0, { type: 'signature_delta', signature: 'si' }),
      delta(0, { type: 'signature_delta', signature: 'g' }),
      stop(0),
      start(1, { type: 'redacted_thinking', data: 'AAA' }),
      stop(1),
      start(2, { type: 'thinking', thinking: '' }),
      delta(2, { type: 'signature_delta', signature: 'two' }),
      stop(2),
    );
    expect(content).toEqual([
      signed,
      { type: 'thinking', text: '', replay: { redacted: 'AAA' } },
      { type: 'thinking', text: '', replay: { signature: 'two' } },
    ]);
  });

  it('keep usage that the last report leaves out', () => {
    const { assembly } = decode(
      {
        type: 'message_start',
        message: { usage: { input_tokens: 3, cache_read_input_tokens: 9, output_tokens: 1 } },
      },
      { type: 'ping' },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 12, output_tokens_details: { thinking_tokens: 4 } },
      },
      { type: 'message_stop' },
    );
    expect(assembly).toMatchObject({ stop: 'end', complete: true });
    expect(assembly.usage).toEqual({ input: 3, output: 12, cacheRead: 9, cacheWrite: 0, reasoning: 4 });
  });

  it.each([
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['stop_sequence', 'end'],
    ['something_new', 'end'],
  ])('%s is %s', (stop_reason, reason) => {
    expect(decode({ type: 'message_delta', delta: { stop_reason }, usage: {} }).assembly.stop).toBe(reason);
  });

  it('do not hand over a call that the output limit cut', () => {
    const { content } = decode(
      start(0, { type: 'tool_use', id: 'c', name: 'restart', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"serv' }),
      stop(0),
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: {} },
    );
    expect(content).toEqual([]);
  });
});
