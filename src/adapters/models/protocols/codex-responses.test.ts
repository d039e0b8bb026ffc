import { describe, expect, it } from 'vitest';
import type { ModelInfo, ModelRequest } from '#spec/data';
import { assemble } from '../wire/assemble.ts';
import { answered, asked, called, found, modelInfo, PIXEL, said, TOOL } from '#testkit/sample-messages';
import { protocol } from './codex-responses.ts';

const info = (more: Partial<ModelInfo> = {}) =>
  modelInfo({ provider: 'openai', model: 'gpt-5', protocol: 'codex_responses', ...more });
const INFO = info();
const bodyOf = (request: Partial<ModelRequest>, model: ModelInfo = INFO) =>
  protocol.encode(asked(request), { info: model, dialect: {} }).body as Record<string, unknown> & {
    input: object[];
  };

const text = (value: string) => ({ type: 'text', text: value }) as const;
const replay = { id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'ENC' };
const sealed = { type: 'thinking', text: 'hm', replay } as const;

describe('requests of codex_responses', () => {
  it('are kept nowhere, and ask for what must be replayed', () => {
    const system = [{ text: 'one' }, { text: 'two' }];
    expect(
      bodyOf({ system, tools: [TOOL], maxOutput: 9, thinking: 'high', cacheKey: 'k', temperature: 1 }),
    ).toEqual({
      model: 'gpt-5',
      stream: true,
      store: false,
      instructions: 'one\n\ntwo',
      tools: [
        { type: 'function', name: 'look', description: 'Looks', parameters: TOOL.input, strict: false },
      ],
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      max_output_tokens: 9,
      prompt_cache_key: 'k',
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'high', summary: 'auto' },
    });
  });

  it('take a temperature where the model does not think', () => {
    const plain = bodyOf({ temperature: 0.3, thinking: 'high' }, info({ thinking: false }));
    expect(plain).toMatchObject({ temperature: 0.3 });
    expect(plain).not.toHaveProperty('reasoning');
    expect(plain).not.toHaveProperty('include');
  });

  it('carry results with images as parts, and others as text', () => {
    const messages = [answered(INFO, called('c1'), called('c2')), found('c1', text('r'), PIXEL), found('c2')];
    const image_url = `data:image/png;base64,${PIXEL.data}`;
    expect(bodyOf({ messages }).input.slice(2)).toEqual([
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'r' },
          { type: 'input_image', image_url, detail: 'auto' },
        ],
      },
      { type: 'function_call_output', call_id: 'c2', output: 'result of c2' },
    ]);
  });

  it('carry sealed thinking home, nowhere else, and garbled arguments as none', () => {
    const message = answered(INFO, sealed, { type: 'thinking', text: 'open' }, text('b'), called('c', '{"a'));
    const types = (model: ModelInfo) =>
      bodyOf({ messages: [message] }, model).input.map((item) => Object.values(item)[0]);
    expect(bodyOf({ messages: [message] }).input).toEqual([
      { type: 'reasoning', ...replay },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
      { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
    ]);
    expect(types(info({ model: 'gpt-5-mini' }))).toEqual(['message', 'function_call']);
    expect(types(info({ provider: 'xai' }))).toEqual(['message', 'function_call']);
  });

  it('begin with the same bytes in a longer conversation', () => {
    const short = [said('a'), answered(INFO, sealed, called('c1')), found('c1', text('r'), PIXEL)];
    const long = [...short, answered(INFO, text('b')), said('c')];
    const json = (messages: ModelRequest['messages']) =>
      JSON.stringify(bodyOf({ messages, tools: [TOOL], cacheKey: 'k' }));
    const end = json(short).indexOf(',"prompt_cache_key"') - 1;
    expect(end).toBeGreaterThan(300);
    expect(json(long).startsWith(json(short).slice(0, end))).toBe(true);
  });
});

describe('answers of codex_responses', () => {
  function decode(...frames: object[]) {
    const decoder = protocol.decoder();
    const assembly = assemble({ provider: 'o', model: 'm', protocol: 'codex_responses' }, () => undefined);
    for (const data of frames) for (const event of decoder.push({ event: '', data })) assembly.add(event);
    return { assembly, content: assembly.message().content };
  }
  const added = (output_index: number, item: object) => ({
    type: 'response.output_item.added',
    output_index,
    item,
  });
  const done = (output_index: number, item: object) => ({
    type: 'response.output_item.done',
    output_index,
    item,
  });
  const ended = (response: object = {}, type = 'response.completed') => ({ type, response });
  const call = { type: 'function_call', call_id: 'c', name: 'look' };

  it('keep what must be replayed with thinking, and its summaries as paragraphs', () => {
    const part = (summary_index: number) => ({
      type: 'response.reasoning_summary_part.added',
      summary_index,
    });
    const delta = (value: string) => ({ type: 'response.reasoning_summary_text.delta', delta: value });
    const { content } = decode(
      added(0, { type: 'reasoning' }),
      part(0),
      delta('one'),
      part(1),
      delta('two'),
      done(0, { type: 'reasoning', ...replay, status: 'completed' }),
      done(1, { type: 'reasoning', id: 'rs_2', encrypted_content: 'E2' }),
      done(2, { type: 'reasoning', id: 'rs_3' }),
    );
    expect(content).toEqual([
      { type: 'thinking', text: 'one\n\ntwo', replay },
      { type: 'thinking', text: '', replay: { id: 'rs_2', summary: [], encrypted_content: 'E2' } },
    ]);
  });

  it('take arguments from the finished item only where they were not streamed', () => {
    const args = { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"b":2}' };
    const { content, assembly } = decode(
      added(0, call),
      done(0, { ...call, arguments: '{"a":1}' }),
      added(1, { ...call, call_id: 'd' }),
      args,
      done(1, { ...call, call_id: 'd', arguments: '{"b":2}' }),
      ended(),
    );
    expect(content).toMatchObject([{ arguments: '{"a":1}' }, { id: 'd', arguments: '{"b":2}' }]);
    expect(assembly.stop).toBe('tool_calls');
  });

  it('end for the reason that is given', () => {
    const stopOf = (response: object, type?: string) => decode(ended(response, type)).assembly.stop;
    expect(stopOf({})).toBe('end');
    expect(stopOf({ incomplete_details: { reason: 'max_output_tokens' } }, 'response.incomplete')).toBe(
      'length',
    );
    expect(stopOf({ incomplete_details: { reason: 'content_filter' } }, 'response.incomplete')).toBe(
      'content_filter',
    );
  });

  it('do not hand over a call that the output limit cut', () => {
    const args = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"serv' };
    const cut = ended({ incomplete_details: { reason: 'max_output_tokens' } }, 'response.incomplete');
    expect(decode(added(0, call), args, done(0, call), cut).content).toEqual([]);
  });

  it('count cached tokens apart from the rest of the input', () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 80 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 4 },
    };
    expect(decode(ended({ usage })).assembly.usage).toEqual({
      input: 20,
      output: 9,
      cacheRead: 80,
      cacheWrite: 0,
      reasoning: 4,
    });
  });

  it.each([
    [
      { type: 'response.failed', response: { error: { code: 'server_error', message: 'm' } } },
      'server_error',
    ],
    [{ type: 'error', error: { type: 'rate_limit', message: 'm' } }, 'rate_limit'],
    [{ type: 'error', code: 'rate_limit', message: 'm' }, 'rate_limit'],
  ])('fail with the vendor’s own words: %j', (frame, code) => {
    expect(decode(frame).assembly.error).toEqual({ message: 'm', code });
  });

  it('show a refusal as text and pass over what they do not know', () => {
    const { content } = decode(
      { type: 'response.refusal.delta', delta: 'No.' },
      { type: 'response.new.thing' },
      {},
    );
    expect(content).toEqual([text('No.')]);
  });
});
