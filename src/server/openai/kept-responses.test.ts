import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, type Script, startModelServer } from '#testkit/model-server';
import { type ScriptedApi, scriptedApi, sentBody, sentEvents } from '#support/server/scripted-api';

let model: ModelServer;
let api: ScriptedApi;
beforeAll(async () => {
  model = await startModelServer({ script: { rules: [] } });
});
afterAll(() => model.close());
beforeEach(async () => {
  model.reset();
  model.script({ rules: RULES, fallback: { text: 'Done.' } });
  api = await scriptedApi(model.url);
});
afterEach(() => api.close());

const call = (name: string, args: Record<string, string>) => ({ toolCalls: [{ name, arguments: args }] });
/** A tool of ours, one of the client, an answer. */
const RULES: Script['rules'] = [
  { when: { afterTool: 'get_weather' }, reply: { text: 'Bring an umbrella.' } },
  {
    when: { afterTool: 'read_file' },
    reply: { text: 'Now this.', ...call('get_weather', { city: 'Rome' }) },
  },
  {
    when: { contains: 'weather', turn: 0 },
    reply: { text: 'First.', ...call('read_file', { path: 'notes.txt' }) },
  },
];
const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

interface Answer {
  readonly id: string;
  readonly status: string;
  readonly output: readonly Record<string, unknown>[];
  readonly usage: object;
}
const respond = async (body: object): Promise<Answer> => {
  const response = await api.post('/v1/responses', { model: 'hermes', ...body });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Answer;
};
const send = async (method: string, path: string, token = api.token) => {
  const response = await fetch(`${api.url}/v1/responses/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const get = (path: string, token?: string) => send('GET', path, token);
const items = async (path: string) =>
  (await get(path)).body as unknown as { data: Record<string, unknown>[] };
const outputOf = ({ output }: Answer) => ({
  type: 'function_call_output',
  call_id: output.find(({ type }) => type === 'function_call')?.['call_id'],
  output: 'rain',
});

describe('a kept response', () => {
  it('is read as it was answered, also after a restart', async () => {
    const first = await respond({ input: 'weather', instructions: 'Be brief.', tools: [WEATHER] });
    const second = await respond({
      input: [outputOf(first)],
      instructions: 'Be brief.',
      tools: [WEATHER],
      previous_response_id: first.id,
    });
    expect(first.output.map(({ type }) => type)).toEqual(['message', 'function_call']);
    await api.restart();
    expect(await get(first.id)).toMatchObject({
      status: 200,
      body: {
        id: first.id,
        object: 'response',
        status: 'completed',
        error: null,
        model: 'hermes/scripted/script-1',
        instructions: 'Be brief.',
        previous_response_id: null,
        output: first.output,
        usage: first.usage,
        tools: [WEATHER],
        store: true,
      },
    });
    const { body } = await get(second.id);
    expect(body).toMatchObject({
      output: second.output,
      previous_response_id: first.id,
      usage: second.usage,
    });
    expect(JSON.stringify(body)).not.toContain('pool size');
  });

  it('says what it was asked with, in pages', async () => {
    const first = await respond({ input: 'weather', tools: [WEATHER] });
    expect(await items(`${first.id}/input_items`)).toMatchObject({
      object: 'list',
      data: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'weather' }] }],
      has_more: false,
    });
    const more = { tools: [WEATHER], previous_response_id: first.id };
    const second = await respond({ input: [outputOf(first)], ...more });
    expect((await items(`${second.id}/input_items`)).data).toMatchObject([
      { ...outputOf(first), status: 'completed' },
    ]);

    const said = (role: string, content: string) => ({ role, content });
    const told = await respond({
      input: [said('user', 'one'), said('assistant', 'two'), said('user', 'three')],
    });
    const texts = ({ data }: { data: Record<string, unknown>[] }) =>
      data.map(({ content }) => (content as { text: string }[])[0]?.text);
    const whole = await items(`${told.id}/input_items?order=asc`);
    expect(texts(whole)).toEqual(['one', 'two', 'three']);
    expect(whole.data.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const page = await items(`${told.id}/input_items?limit=2`);
    expect(texts(page)).toEqual(['three', 'two']);
    expect(page).toMatchObject({
      has_more: true,
      first_id: page.data[0]?.['id'],
      last_id: page.data[1]?.['id'],
    });
    const rest = await items(`${told.id}/input_items?limit=2&after=${String(page.data[1]?.['id'])}`);
    expect(texts(rest)).toEqual(['one']);
    expect(rest).toMatchObject({ has_more: false });
    for (const query of ['order=up', 'limit=0', 'after=msg_none'])
      expect([query, (await get(`${told.id}/input_items?${query}`)).status]).toEqual([query, 400]);
  });

  it('says that it failed', async () => {
    model.script({ rules: [], fallback: { text: 'one two three four', chunk: 3 } });
    model.plan([{ kind: 'cut', afterFrames: 3, times: 9 }]);
    const stream = await api.post('/v1/responses', { model: 'hermes', input: 'x', stream: true });
    const [created] = (await sentEvents(stream)) as { response: { id: string } }[];
    expect((await get(created?.response.id ?? '')).body).toMatchObject({
      status: 'failed',
      error: { code: expect.any(String), message: expect.any(String) },
      output: [{ type: 'message', status: 'incomplete' }],
    });
  });

  it('is nobody else’s, and not every id is one', async () => {
    const { id } = await respond({ input: 'one' });
    const passing = await respond({ input: 'one', store: false });
    const gone = { status: 404, body: { error: { type: 'invalid_request_error', code: 'not_found' } } };
    expect(await get(id, api.readOnlyToken)).toMatchObject(gone);
    expect(await get(`${id}/input_items`, api.readOnlyToken)).toMatchObject(gone);
    for (const other of [passing.id, 'resp_none_1', 'x', id.replace(/_1$/, '_2'), `${id}x`])
      for (const [method, path] of [
        ['GET', other],
        ['GET', `${other}/input_items`],
        ['DELETE', other],
        ['POST', `${other}/cancel`],
      ] as const)
        expect([method, path, (await send(method, path)).status]).toEqual([method, path, 404]);
    expect((await send('DELETE', id, api.readOnlyToken)).status).toBe(403);
    expect((await send('POST', `${id}/cancel`, api.readOnlyToken)).status).toBe(403);
    expect((await get(`${id}?stream=true`)).status).toBe(400);
    expect((await get(id)).status).toBe(200);
  });
});

describe('a response that is taken away', () => {
  const after = (previous: string, input: string) => respond({ input, previous_response_id: previous });

  it('is not read, gone on from or sent again, and its id is not given again', async () => {
    const first = await respond({ input: 'one' });
    const second = await after(first.id, 'two');
    const third = await after(second.id, 'three');
    expect(await send('DELETE', second.id)).toEqual({
      status: 200,
      body: { id: second.id, object: 'response', deleted: true },
    });
    expect((await get(second.id)).status).toBe(404);
    expect((await send('DELETE', second.id)).status).toBe(404);
    const lost = await api.post('/v1/responses', {
      model: 'hermes',
      input: 'x',
      previous_response_id: second.id,
    });
    expect(lost.status).toBe(400);
    await after(third.id, 'four');
    const { messages } = sentBody(model);
    // Behind what was said may stand what is remembered.
    expect(messages.slice(1).map(({ content }) => String(content).split('\n', 1)[0])).toEqual([
      'one',
      'Done.',
      'three',
      'Done.',
      'four',
    ]);
    expect((await get(third.id)).body).toMatchObject({ previous_response_id: first.id });

    const alone = await respond({ input: 'alone' });
    const last = await after(alone.id, 'last');
    await send('DELETE', last.id);
    const again = await after(alone.id, 'again');
    expect(again.id).not.toBe(last.id);
    expect((await get(again.id)).body).toMatchObject({ status: 'completed', previous_response_id: alone.id });
  });

  it('takes its session along when it was the last', async () => {
    const first = await respond({ input: 'one' });
    const second = await after(first.id, 'two');
    const { sessions } = await api.host().database();
    await send('DELETE', first.id);
    expect(await sessions.list({ limit: 9 })).toHaveLength(1);
    expect((await get(second.id)).body).toMatchObject({ status: 'completed', previous_response_id: null });
    await send('DELETE', second.id);
    expect(await sessions.list({ limit: 9 })).toEqual([]);
  });
});

describe('a response that is being answered', () => {
  it('can be cancelled by its id, from elsewhere, and twice', async () => {
    model.script({ rules: [], fallback: { text: 'x'.repeat(400), chunk: 1, delayMs: 50 } });
    const stream = await api.post('/v1/responses', { model: 'hermes', input: 'tell', stream: true });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    while (!heard.includes('output_text.delta')) heard += (await reader?.read())?.value ?? '';
    const id = /"id":"(resp_\w+)"/.exec(heard)?.[1] ?? '';
    expect((await get(id)).body).toMatchObject({ status: 'in_progress', usage: null });
    expect((await send('DELETE', id)).status).toBe(409);
    const cancelled = await send('POST', `${id}/cancel`);
    expect(cancelled).toMatchObject({ status: 200, body: { id, status: 'cancelled' } });
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
      heard += piece.value;
    expect(heard).toContain('event: response.failed');
    expect(await send('POST', `${id}/cancel`)).toEqual(cancelled);
    expect((await get(id)).body).toEqual(cancelled.body);
  });

  it('is not undone by being cancelled too late', async () => {
    const { id } = await respond({ input: 'one' });
    expect(await send('POST', `${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'completed' } });
  });
});
