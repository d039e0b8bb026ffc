import { describe, expect, it } from 'vitest';
import type { ModelInfo, ModelRequest } from '#spec/data';
import { assemble } from '../wire/assemble.ts';
import { answered, asked, called, found, modelInfo, PIXEL, said, TOOL } from '#testkit/sample-messages';
import { protocol } from './bedrock-converse.ts';

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const NOVA = 'us.amazon.nova-pro-v1:0';

const info = (model = CLAUDE) => modelInfo({ provider: 'bedrock', model, protocol: 'bedrock_converse' });
const encode = (request: Partial<ModelRequest>, model: ModelInfo = info()) =>
  protocol.encode(asked(request), { info: model, dialect: {} });
const bodyOf = (request: Partial<ModelRequest>, model?: ModelInfo) =>
  encode(request, model).body as Record<string, unknown> & {
    messages: { role: string; content: object[] }[];
  };

const text = (value: string) => ({ type: 'text', text: value }) as const;
const conversation = (home: ModelInfo): ModelRequest['messages'] => [
  said('a'),
  answered(home, called('c1')),
  found('c1'),
  answered(home, text('b')),
  said('c'),
];

/** Where cache points stand: after the tools, after which piece of the prompt, in which messages. */
function points(body: Record<string, unknown>): string[] {
  const places: string[] = [];
  const walk = (here: unknown, path: string) => {
    if (typeof here !== 'object' || here === null) return;
    if ('cachePoint' in here) places.push(path);
    for (const [key, inner] of Object.entries(here)) walk(inner, path ? `${path}.${key}` : key);
  };
  walk(body, '');
  return places;
}

describe('cache points of bedrock_converse', () => {
  const request = (model: string, more: Partial<ModelRequest> = {}) =>
    bodyOf({ messages: conversation(info(model)), tools: [TOOL], cacheTtl: '5m', ...more }, info(model));

  it('follow the tools, the prompt and the last two inputs for Claude', () => {
    expect(points(request(CLAUDE))).toEqual([
      'toolConfig.tools.1',
      'system.1',
      'messages.2.content.1',
      'messages.4.content.1',
    ]);
  });

  it('follow the first and the last block of a prompt of several', () => {
    const system = [{ text: 'stable' }, { text: 'middle' }, { text: 'session' }];
    expect(points(request(CLAUDE, { system }))).toEqual([
      'system.1',
      'system.4',
      'messages.2.content.1',
      'messages.4.content.1',
    ]);
  });

  it('never follow the tools for Nova, which refuses that', () => {
    expect(points(request(NOVA))).toEqual(['system.1', 'messages.2.content.1', 'messages.4.content.1']);
  });

  it.each([
    'meta.llama3-3-70b-instruct-v1:0',
    'mistral.mistral-large-2407-v1:0',
    'us.deepseek.r1-v1:0',
    'openai.gpt-oss-120b-1:0',
    'us.amazon.nova-2-lite-v1:0',
    'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc',
  ])('are absent for %s', (model) => {
    expect(points(request(model))).toEqual([]);
  });

  it('live for an hour where the family allows it', () => {
    const ttls = (model: string) =>
      JSON.stringify(request(model, { cacheTtl: '1h' })).match(/"ttl":"1h"/g)?.length ?? 0;
    expect([CLAUDE, 'anthropic.claude-opus-4-6-v1', 'us.anthropic.claude-sonnet-5-v1:0'].map(ttls)).toEqual([
      4, 4, 4,
    ]);
    const older = [
      'anthropic.claude-3-7-sonnet-20250219-v1:0',
      'us.anthropic.claude-sonnet-4-20250514-v1:0',
      'us.anthropic.claude-opus-4-1-20250805-v1:0',
      NOVA,
    ];
    expect(older.map(ttls)).toEqual([0, 0, 0, 0]);
    expect(JSON.stringify(request(CLAUDE))).not.toContain('ttl');
  });

  it('are all that changes in the messages when the conversation grows', () => {
    const home = info();
    const json = (messages: ModelRequest['messages']) =>
      JSON.stringify(bodyOf({ messages, cacheTtl: '5m' }).messages).replaceAll(
        ',{"cachePoint":{"type":"default"}}',
        '',
      );
    const [short, long] = [conversation(home).slice(0, 3), conversation(home)].map(json) as [string, string];
    expect(long.startsWith(short.slice(0, -1))).toBe(true);
  });
});

describe('messages of bedrock_converse', () => {
  it('carry results with images, their status, and garbled arguments as none', () => {
    const home = info();
    const messages = [
      said('a'),
      answered(home, called('c1', 'garbled'), called('c2')),
      found('c1', text('r'), PIXEL),
      { ...found('c2'), isError: true },
    ];
    const [, assistant, user] = bodyOf({ messages }).messages;
    expect(assistant?.content).toMatchObject([{ toolUse: { input: {} } }, { toolUse: { input: { a: 1 } } }]);
    const image = { image: { format: 'png', source: { bytes: PIXEL.data } } };
    expect(user?.content).toEqual([
      { toolResult: { toolUseId: 'c1', content: [{ text: 'r' }, image], status: 'success' } },
      { toolResult: { toolUseId: 'c2', content: [{ text: 'result of c2' }], status: 'error' } },
    ]);
  });

  it('carry thinking home and nowhere else', () => {
    const home = info();
    const message = answered(
      home,
      { type: 'thinking', text: 'hm', replay: { signature: 'sig' } },
      { type: 'thinking', text: '', replay: { redacted: 'AAA' } },
      { type: 'thinking', text: 'unsigned' },
      text('b'),
    );
    const content = (model: ModelInfo) =>
      bodyOf({ messages: [said('a'), message] }, model).messages[1]?.content;
    expect(content(home)).toEqual([
      { reasoningContent: { reasoningText: { text: 'hm', signature: 'sig' } } },
      { reasoningContent: { redactedContent: 'AAA' } },
      { text: 'b' },
    ]);
    expect(content(info(NOVA))).toEqual([{ text: 'b' }]);
  });

  it('name the model in the path, escaped', () => {
    const arn = info('arn:aws:bedrock:us-east-1:1:application-inference-profile/abc');
    expect(encode({}, arn).path).toBe(
      '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aapplication-inference-profile%2Fabc/converse-stream',
    );
  });

  it('ask for thinking and set limits', () => {
    expect(bodyOf({ thinking: 'low', maxOutput: 9_000, temperature: 1 })).toMatchObject({
      inferenceConfig: { maxTokens: 9_000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2_048 } },
    });
    expect(bodyOf({ temperature: 0.5 })).toMatchObject({
      inferenceConfig: { maxTokens: 4_000, temperature: 0.5 },
    });
    expect(bodyOf({})).not.toHaveProperty('additionalModelRequestFields');
  });
});

describe('answers of bedrock_converse', () => {
  function decode(...frames: [event: string, data: object][]) {
    const decoder = protocol.decoder();
    const assembly = assemble({ provider: 'b', model: 'm', protocol: 'bedrock_converse' }, () => undefined);
    for (const [event, data] of frames) for (const wire of decoder.push({ event, data })) assembly.add(wire);
    return { assembly, content: assembly.message().content };
  }
  const delta = (contentBlockIndex: number, value: object): [string, object] => [
    'contentBlockDelta',
    { contentBlockIndex, delta: value },
  ];
  const stop = (contentBlockIndex: number): [string, object] => ['contentBlockStop', { contentBlockIndex }];

  it('keep signatures and sealed thinking', () => {
    const { content } = decode(
      delta(0, { reasoningContent: { text: 'hm' } }),
      delta(0, { reasoningContent: { signature: 'sig' } }),
      stop(0),
      delta(1, { reasoningContent: { redactedContent: 'AAA' } }),
      stop(1),
      delta(2, { text: 'b' }),
      stop(2),
    );
    expect(content).toEqual([
      { type: 'thinking', text: 'hm', replay: { signature: 'sig' } },
      { type: 'thinking', text: '', replay: { redacted: 'AAA' } },
      { type: 'text', text: 'b' },
    ]);
  });

  it.each([
    ['end_turn', 'end'],
    ['max_tokens', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
    ['new_reason', 'end'],
  ])('%s is %s', (stopReason, reason) => {
    expect(decode(['messageStop', { stopReason }]).assembly).toMatchObject({ stop: reason, complete: true });
  });

  it('tell of exceptions, in a stream and as a body', () => {
    const { assembly } = decode(['exception', { message: 'Slow down', code: 'throttlingException' }]);
    expect(assembly.error).toEqual({ message: 'Slow down', code: 'throttlingException' });
    expect(protocol.vendorError({ Message: 'm', __type: 'com.amazon#AccessDeniedException' })).toEqual({
      message: 'm',
      code: 'AccessDeniedException',
    });
    expect(protocol.vendorError(undefined)).toEqual({ message: '' });
  });
});
