import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, type Script, startModelServer } from '#testkit/model-server';
import {
  type ScriptedApi,
  type SentBody,
  scriptedApi,
  sentBody,
  sentEvents,
} from '#support/server/scripted-api';

let model: ModelServer;
let api: ScriptedApi;
beforeAll(async () => {
  model = await startModelServer({ script: { rules: [] } });
});
afterAll(() => model.close());
beforeEach(async () => {
  model.reset();
  play([]);
  api = await scriptedApi(model.url);
});
afterEach(() => api.close());

const PATH = '/v1/responses';
const play = (rules: Script['rules']) => model.script({ rules, fallback: { text: 'Done.' } });
const calling = (name: string, args: object) => ({
  toolCalls: [{ name, arguments: args as Record<string, never> }],
});
const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};
const rules: Script['rules'] = [
  { when: { afterTool: 'get_weather' }, reply: { text: 'Bring an umbrella.' } },
  {
    when: { afterTool: 'read_file' },
    reply: { text: 'Let me see.', ...calling('get_weather', { city: 'Rome' }) },
  },
  { when: { contains: 'weather', turn: 0 }, reply: calling('read_file', { path: 'notes.txt' }) },
];

interface Answer {
  readonly id: string;
  readonly status: string;
  readonly output: readonly Record<string, unknown>[];
}
const respond = async (body: object): Promise<Answer> => {
  const response = await api.post(PATH, { model: 'hermes', ...body });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Answer;
};
const sent = (at = -1): SentBody['messages'] => sentBody(model, at).messages;
const roles = () =>
  sent()
    .map(({ role }) => role)
    .slice(1);
const outputOf = ({ output }: Answer, content: string) => ({
  type: 'function_call_output',
  call_id: output.find(({ type }) => type === 'function_call')?.['call_id'],
  output: content,
});

describe('a response', () => {
  it('comes whole', async () => {
    expect(await respond({ input: 'hi', instructions: 'Be brief.' })).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: 'response',
      status: 'completed',
      model: 'hermes',
      instructions: 'Be brief.',
      error: null,
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Done.' }],
        },
      ],
      usage: { input_tokens: expect.any(Number), output_tokens: 2, total_tokens: expect.any(Number) },
    });
    expect(JSON.stringify(sent()[0])).toContain('Be brief.');
  });

  it('comes as the documented events, numbered, with our own tools told apart', async () => {
    play(rules);
    const response = await api.post(PATH, {
      model: 'hermes',
      input: 'weather',
      tools: [WEATHER],
      stream: true,
    });
    const events = (await sentEvents(response)) as { type: string; sequence_number: number }[];
    expect(events.map(({ sequence_number: n }) => n)).toEqual(events.map((_, index) => index));
    const types = events.map(({ type }) => type);
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.flatMap((event) => ('x_hermes' in event ? [event.x_hermes] : []))).toMatchObject([
      { type: 'tool.started', name: 'read_file' },
      { type: 'tool.ended', name: 'read_file', isError: false },
    ]);
    expect(events.at(-1)).toMatchObject({
      response: {
        status: 'completed',
        output: [
          { type: 'message', content: [{ text: 'Let me see.' }] },
          { type: 'function_call', name: 'get_weather', arguments: '{"city":"Rome"}', status: 'completed' },
        ],
      },
    });
  });

  it('is incomplete where it was cut', async () => {
    model.script({ rules: [], fallback: { text: 'half of', stop: 'length' } });
    expect(await respond({ input: 'tell', max_output_tokens: 16 })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });

  it('fails in the stream, and with a status before it', async () => {
    model.script({ rules: [], fallback: { text: 'one two three four', chunk: 3 } });
    model.plan([{ kind: 'cut', afterFrames: 3, times: 9 }]);
    const response = await api.post(PATH, { model: 'hermes', input: 'x', stream: true });
    const events = await sentEvents(response);
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { message: expect.any(String), code: expect.any(String) } },
    });
    expect(events.at(-1)).not.toHaveProperty('failure');
    const whole = await api.post(PATH, { model: 'hermes', input: 'x' });
    expect(whole.status).toBe(502);
    model.plan([{ kind: 'rate_limit', times: 9 }]);
    expect((await api.post(PATH, { model: 'hermes', input: 'x', stream: true })).status).toBe(429);
  });
});

describe('what came before', () => {
  it('is kept under the id of the response, over a restart', async () => {
    const first = await respond({ input: 'one' });
    await api.restart();
    const second = await respond({ input: 'two', previous_response_id: first.id });
    expect(roles()).toEqual(['user', 'assistant', 'user']);
    expect(second.id).not.toBe(first.id);
    const { sessions } = await api.host().database();
    expect(await sessions.list({ limit: 9 })).toHaveLength(1);
  });

  it('can be gone on from twice, each way without the other', async () => {
    const first = await respond({ input: 'one' });
    await respond({ input: 'left', previous_response_id: first.id });
    const right = await respond({ input: 'right', previous_response_id: first.id });
    expect(roles()).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(sent().slice(1))).not.toContain('left');
    await respond({ input: 'further', previous_response_id: right.id });
    expect(roles()).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(JSON.stringify(sent())).toContain('right');
  });

  it('can be gone on from twice at once', async () => {
    const first = await respond({ input: 'one' });
    const both = await Promise.all(
      ['left', 'right'].map((input) => respond({ input, previous_response_id: first.id })),
    );
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
    for (const { body } of model.requests.slice(1))
      expect((body as { messages: unknown[] }).messages).toHaveLength(4);
  });

  it('takes the output of a call, and what our tools had found with it', async () => {
    play(rules);
    const first = await respond({ input: 'weather', tools: [WEATHER] });
    await respond({ input: [outputOf(first, 'rain')], tools: [WEATHER], previous_response_id: first.id });
    expect(roles()).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(sent().at(-1)).toMatchObject({ content: 'rain' });
    expect(sent(-1)[0]).toEqual(sent(0)[0]);
  });

  it('goes on in a copy under other instructions, with the call answered there', async () => {
    play(rules);
    const first = await respond({ input: 'weather', tools: [WEATHER] });
    const more = { instructions: 'Be brief.', tools: [WEATHER], previous_response_id: first.id };
    await respond({ input: [outputOf(first, 'rain')], ...more });
    expect(roles()).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(JSON.stringify(sent()[0])).toContain('Be brief.');
    const { sessions } = await api.host().database();
    const found = await sessions.list({ limit: 9 });
    expect(found).toHaveLength(2);
    expect(found.filter(({ parent }) => parent !== undefined)).toHaveLength(1);
  });

  it('is read and left alone by one that is not to be stored', async () => {
    const first = await respond({ input: 'one' });
    const second = await respond({ input: 'two', previous_response_id: first.id, store: false });
    expect(roles()).toEqual(['user', 'assistant', 'user']);
    await respond({ input: 'three', previous_response_id: first.id });
    expect(JSON.stringify(sent().slice(1))).not.toContain('two');
    const lost = await api.post(PATH, { model: 'hermes', input: 'x', previous_response_id: second.id });
    expect(lost.status).toBe(400);
    expect(await lost.json()).toMatchObject({ error: { code: 'previous_response_not_found' } });
  });

  it('comes as items from a client that keeps it itself', async () => {
    play(rules);
    const asked = [{ role: 'user', content: [{ type: 'input_text', text: 'weather' }] }];
    const first = await respond({ input: asked, tools: [WEATHER], store: false });
    const input = [
      ...asked,
      { type: 'reasoning', id: 'rs_1', summary: [] },
      ...first.output,
      outputOf(first, 'rain'),
    ];
    const second = await respond({ input, tools: [WEATHER], store: false });
    expect(second.output).toMatchObject([{ content: [{ text: 'Bring an umbrella.' }] }]);
    expect(roles()).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    const { sessions } = await api.host().database();
    expect(await sessions.list({ limit: 9 })).toEqual([]);
  });
});

describe('errors', () => {
  it.each<[string, object, string]>([
    ['no input', {}, 'input'],
    ['an item of another kind', { input: [{ type: 'item_reference', id: 'x' }] }, 'input[0].type'],
    ['a tool of theirs', { input: 'x', tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [
      'a form',
      { input: 'x', text: { format: { type: 'json_schema', name: 'a', schema: {} } } },
      'text.format.type',
    ],
    ['the background', { input: 'x', background: true }, 'background'],
    ['an id that is none', { input: 'x', previous_response_id: '../../etc' }, 'previous_response_id'],
    [
      'an output without a call',
      { input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] },
      'input',
    ],
  ])('%s', async (_, body, param) => {
    const response = await api.post(PATH, { model: 'hermes', ...body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param } });
  });

  it('a response that is not there, and an output that nobody waits for', async () => {
    const first = await respond({ input: 'one' });
    const gone = await api.post(PATH, { model: 'hermes', input: 'x', previous_response_id: 'resp_none_1' });
    expect(gone.status).toBe(400);
    const ahead = first.id.replace(/_1$/, '_9');
    const later = await api.post(PATH, { model: 'hermes', input: 'x', previous_response_id: ahead });
    expect(later.status).toBe(400);
    expect(await later.json()).toMatchObject({
      error: { code: 'previous_response_not_found', param: 'previous_response_id' },
    });
    const input = [{ type: 'function_call_output', call_id: 'c', output: 'x' }];
    const odd = await api.post(PATH, { model: 'hermes', input, previous_response_id: first.id });
    expect(odd.status).toBe(400);
  });
});
