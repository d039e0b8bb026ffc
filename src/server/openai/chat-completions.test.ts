import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, type Script, startModelServer } from '#testkit/model-server';
import { type ScriptedApi, scriptedApi, sentBody, sentEvents } from './scripted-api.ts';

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

const PATH = '/v1/chat/completions';
const play = (rules: Script['rules']) => model.script({ rules, fallback: { text: 'Done.' } });
const user = (content: unknown) => ({ role: 'user', content });
const ask = (content: unknown, more: object = {}) => ({
  model: 'hermes',
  messages: [user(content)],
  ...more,
});
const calling = (name: string, args: object) => ({
  toolCalls: [{ name, arguments: args as Record<string, never> }],
});
const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

interface Completion {
  readonly id: string;
  readonly choices: readonly {
    readonly finish_reason: string;
    readonly message: {
      readonly role: string;
      readonly content: string | null;
      readonly tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
    };
  }[];
  readonly usage: Record<string, unknown>;
  readonly x_hermes: {
    readonly session?: string;
    readonly progress: readonly { type: string; name?: string }[];
  };
  readonly error?: Record<string, unknown>;
}
const complete = async (body: object, headers: Record<string, string> = {}): Promise<Completion> => {
  const response = await api.post(PATH, body, { headers });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Completion;
};
/** The messages that the model was sent in its last request, without the system prompt. */
const sentMessages = (): readonly Readonly<Record<string, unknown>>[] =>
  sentBody(model).messages.filter(({ role }) => role !== 'system');
const readNotes = { when: { contains: 'pool', turn: 0 }, reply: calling('read_file', { path: 'notes.txt' }) };

describe('an answer', () => {
  it('comes whole, with its usage', async () => {
    model.script({
      rules: [],
      fallback: { text: 'Hello there.', usage: { input: 90, cacheRead: 10, output: 7, reasoning: 2 } },
    });
    expect(await complete(ask('hi'))).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model: 'hermes',
      created: expect.any(Number),
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there.' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 7,
        total_tokens: 107,
        prompt_tokens_details: { cached_tokens: 10 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
      x_hermes: { model: 'scripted/script-1' },
    });
  });

  it('comes as it is written, and tells of the tools that ran here without asking the client to run them', async () => {
    play([readNotes, { when: { afterTool: 'read_file' }, reply: { text: 'The pool has 20.', chunk: 4 } }]);
    const response = await api.post(PATH, ask('how large is the pool?', { stream: true }));
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = await sentEvents(response);
    expect(events.at(-1)).toBe('[DONE]');
    const chunks = events.slice(0, -1) as {
      choices: { delta: Record<string, string>; finish_reason: string }[];
    }[];
    expect(chunks[0]).toMatchObject({ choices: [{ delta: { role: 'assistant' }, finish_reason: null }] });
    expect(chunks.every(({ choices }) => choices.length === 1)).toBe(true);
    const texts = chunks.flatMap(({ choices }) => choices[0]?.delta.content || []);
    expect(texts.join('')).toBe('The pool has 20.');
    expect(texts.length).toBeGreaterThan(2);
    expect(JSON.stringify(chunks)).not.toContain('tool_calls');
    expect(chunks.flatMap((chunk) => ('x_hermes' in chunk ? [chunk.x_hermes] : []))).toMatchObject([
      { type: 'tool.started', name: 'read_file' },
      { type: 'tool.ended', name: 'read_file', isError: false },
    ]);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }] });
    expect(chunks.at(-1)).not.toHaveProperty('usage');
  });

  it('ends with the usage of all its steps when that is asked for', async () => {
    play([readNotes]);
    const body = ask('pool', { stream: true, stream_options: { include_usage: true } });
    const events = (await sentEvents(await api.post(PATH, body))).slice(0, -1) as Record<string, unknown>[];
    const { usage, choices } = events.at(-1) as { usage: Record<string, number>; choices: unknown[] };
    expect(choices).toEqual([]);
    expect(usage['total_tokens']).toBe((usage['prompt_tokens'] ?? 0) + (usage['completion_tokens'] ?? 0));
    const once = sentBody(model, 0);
    expect(model.requests).toHaveLength(2);
    expect(usage['prompt_tokens']).toBeGreaterThan(JSON.stringify(once.messages).length / 4);
    expect(events.slice(0, -1).every((chunk) => chunk['usage'] === null)).toBe(true);
  });

  it('says where it was cut: at the limit of the client, which nobody goes beyond', async () => {
    model.script({ rules: [], fallback: { text: 'half of', stop: 'length' } });
    expect(await complete(ask('tell', { max_tokens: 5 }))).toMatchObject({
      choices: [{ finish_reason: 'length', message: { content: 'half of' } }],
    });
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.body).toMatchObject({ max_tokens: 5 });
  });

  it('says that it was withheld', async () => {
    model.script({ rules: [], fallback: { text: 'I', stop: 'content_filter' } });
    expect(await complete(ask('tell'))).toMatchObject({ choices: [{ finish_reason: 'content_filter' }] });
  });

  it('follows the instructions and the history of the request, and keeps neither', async () => {
    const messages = [
      { role: 'system', content: 'Speak like a pirate.' },
      user('first'),
      { role: 'assistant', content: 'aye' },
      user([
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: PIXEL } },
      ]),
    ];
    await complete({ model: 'hermes/scripted/script-2', messages, temperature: 0.3 });
    const body = sentBody(model, 0);
    expect(body).toMatchObject({ model: 'script-2', temperature: 0.3 });
    expect(JSON.stringify(body.messages[0])).toContain('Speak like a pirate.');
    expect(sentMessages().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(sentMessages()[2])).toContain('look');
    const { sessions } = await api.host().database();
    expect(await sessions.list({ limit: 10 })).toEqual([]);
  });

  it('takes @ for what it is', async () => {
    await complete(ask('what is in @notes.txt and @file:notes.txt?'));
    expect(JSON.stringify(sentMessages())).not.toContain('pool size 20');
  });
});

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('tools of the client', () => {
  const body = (messages: object[], more: object = {}) => ({
    model: 'hermes',
    messages,
    tools: [WEATHER],
    ...more,
  });
  const rules: Script['rules'] = [
    { when: { afterTool: 'get_weather' }, reply: { text: 'Bring an umbrella.' } },
    {
      when: { afterTool: 'read_file' },
      reply: { text: 'Let me see.', ...calling('get_weather', { city: 'Rome' }) },
    },
    { when: { contains: 'weather', turn: 0 }, reply: calling('read_file', { path: 'notes.txt' }) },
  ];
  const roundTrip = async (first: Completion, headers: Record<string, string> = {}, known: object[] = []) => {
    const message = first.choices[0]?.message;
    const result = { role: 'tool', tool_call_id: message?.tool_calls?.[0]?.id, content: 'rain, 12 °C' };
    return complete(body([...known, { ...message }, result]), headers);
  };

  it('are called by the model, run by the client, and the turn goes on with what our own tools had found', async () => {
    play(rules);
    const said = [user('notes, then the weather?')];
    const first = await complete(body(said));
    expect(first.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Let me see.',
        tool_calls: [{ type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } }],
      },
    });
    expect(first.x_hermes.progress.map(({ name }) => name)).toEqual(['read_file', 'read_file']);
    expect(sentBody(model, 0).tools).toContainEqual(WEATHER);

    const second = await roundTrip(first, {}, said);
    expect(second.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'Bring an umbrella.' },
    });
    expect(sentMessages().map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(JSON.stringify(sentMessages()[2])).toContain('pool size 20');
    expect(sentMessages()[4]).toMatchObject({ content: 'rain, 12 °C' });
  });

  it('go on after a restart with what the client knows', async () => {
    play(rules);
    const said = [user('the weather?')];
    const first = await complete(body(said));
    await api.restart();
    expect((await roundTrip(first, {}, said)).choices[0]?.message.content).toBe('Bring an umbrella.');
    expect(sentMessages().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('are streamed as calls, several at once, each with an id of its own', async () => {
    const twice = { id: 'call_0', name: 'get_weather', arguments: { city: 'Rome' } };
    play([{ when: { contains: 'weather' }, reply: { toolCalls: [twice, { ...twice, id: 'call_1' }] } }]);
    const response = await api.post(PATH, body([user('weather')], { stream: true }));
    const events = (await sentEvents(response)) as { choices: { delta: { tool_calls?: object[] } }[] }[];
    const calls = events.flatMap(({ choices }) => choices?.[0]?.delta.tool_calls ?? []) as { id: string }[];
    expect(calls).toMatchObject([
      { index: 0, type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
      { index: 1, function: { name: 'get_weather' } },
    ]);
    expect(new Set([...calls.map(({ id }) => id), 'call_0', 'call_1']).size).toBe(4);
  });

  it('take the place of ours of the same name, and cannot be reached from our code', async () => {
    const theirs = { ...WEATHER, function: { ...WEATHER.function, name: 'read_file' } };
    play([{ when: { contains: 'read' }, reply: calling('read_file', { city: 'Rome' }) }]);
    const first = await complete({ ...body([user('read')]), tools: [theirs] });
    expect(first.choices[0]).toMatchObject({ finish_reason: 'tool_calls' });
    const { tools } = sentBody(model, 0);
    expect(tools.filter((tool) => tool.function.name === 'read_file')).toEqual([theirs]);
  });

  it('are not called when the client says none', async () => {
    await complete(body([user('weather')], { tool_choice: 'none' }));
    expect(JSON.stringify(model.requests[0]?.body)).not.toContain('get_weather');
  });

  it('go on in a session, where the result takes the place that was kept for it', async () => {
    play(rules);
    const first = await complete(body([user('the weather?')]), { 'x-hermes-session': 'new' });
    const session = first.x_hermes.session ?? '';
    await api.restart();
    const second = await roundTrip(first, { 'x-hermes-session': session });
    expect(second.choices[0]?.message.content).toBe('Bring an umbrella.');
    expect(sentMessages().map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(sentMessages()[4]).toMatchObject({ content: 'rain, 12 °C' });
    const again = await api.post(
      PATH,
      body([
        { ...first.choices[0]?.message },
        { role: 'tool', tool_call_id: first.choices[0]?.message.tool_calls?.[0]?.id, content: 'x' },
      ]),
      { headers: { 'x-hermes-session': session } },
    );
    expect(again.status).toBe(400);
  });
});

describe('a session', () => {
  it('is gone on with by its id, and sends the same prefix', async () => {
    const response = await api.post(PATH, ask('one'), { headers: { 'x-hermes-session': 'new' } });
    const session = response.headers.get('x-hermes-session') ?? '';
    expect(session).toMatch(/^ses_/);
    await response.text();
    await complete(ask('two'), { 'x-hermes-session': session });
    expect(sentMessages().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const [first, second] = model.requests.map(({ body }) => body as { messages: unknown[]; tools: unknown });
    expect(second?.messages[0]).toEqual(first?.messages[0]);
    expect(second?.tools).toEqual(first?.tools);
  });

  it('takes only what is new from a client that sends everything', async () => {
    const { x_hermes } = await complete(ask('one', { store: true }));
    const messages = [user('one'), { role: 'assistant', content: 'Done.' }, user('two')];
    await complete({ model: 'hermes', messages }, { 'x-hermes-session': x_hermes.session ?? '' });
    expect(sentMessages()).toHaveLength(3);
  });

  it('of somebody else is not found', async () => {
    const host = api.host();
    const talk = await host.conversation({ cwd: api.cwd, language: 'en', platform: 'cli' });
    for await (const _ of talk.send([{ type: 'text', text: 'private' }], new AbortController().signal));
    for (const id of [talk.session.id, 'ses_none']) {
      const response = await api.post(PATH, ask('x'), { headers: { 'x-hermes-session': id } });
      expect(response.status).toBe(404);
    }
  });

  it('answers one request at a time', async () => {
    const { x_hermes } = await complete(ask('one', { store: true }));
    const headers = { 'x-hermes-session': x_hermes.session ?? '' };
    model.script({ rules: [], fallback: { text: 'slow answer', chunk: 1, delayMs: 40 } });
    const slow = await api.post(PATH, ask('two', { stream: true }), { headers });
    const other = await api.post(PATH, ask('three'), { headers });
    expect(other.status).toBe(409);
    await slow.text();
    await complete(ask('three'), headers);
  });
});

describe('the gate', () => {
  it('denies what needs agreement, and lets the model say why', async () => {
    const path = join(api.cwd, 'kept');
    await writeFile(path, 'x');
    play([
      { when: { contains: 'clean', turn: 0 }, reply: calling('terminal', { command: `rm -rf ${api.cwd}` }) },
      { when: { afterTool: 'terminal' }, reply: { text: 'I may not.' } },
    ]);
    const { choices, x_hermes } = await complete(ask('clean up'));
    expect(existsSync(path)).toBe(true);
    expect(choices[0]?.message.content).toBe('I may not.');
    expect(JSON.stringify(sentMessages().at(-1))).toMatch(/Not allowed: .*nobody can be asked here/);
    expect(x_hermes.progress.at(-1)).toMatchObject({ name: 'terminal', isError: true });
    const { audit } = await api.host().gate();
    const [line] = await audit.last(1);
    expect(line).toMatchObject({ kind: 'action.denied', requester: { caller: 'api', user: 'token' } });
  });

  it('remembers from request to request that strangers had a word in a conversation', async () => {
    play([{ when: { contains: 'weather', turn: 0 }, reply: calling('get_weather', { city: 'Rome' }) }]);
    const said = [user('the weather?')];
    const first = await complete({ model: 'hermes', messages: said, tools: [WEATHER] });
    const message = first.choices[0]?.message;
    const result = { role: 'tool', tool_call_id: message?.tool_calls?.[0]?.id, content: 'rain' };
    const taints = async () => {
      const { audit } = await api.host().gate();
      return (await audit.last(20)).filter(({ kind }) => kind === 'session.tainted');
    };
    expect(await taints()).toMatchObject([{ data: { taint: 'untrusted' } }]);
    play([{ when: { afterTool: 'get_weather' }, reply: calling('get_weather', { city: 'Bonn' }) }]);
    await complete({ model: 'hermes', messages: [...said, message, result], tools: [WEATHER] });
    // The same session: it is not tainted anew. Another conversation is.
    expect(await taints()).toHaveLength(1);
    play([{ when: { contains: 'weather', turn: 0 }, reply: calling('get_weather', { city: 'Rome' }) }]);
    await complete({ model: 'hermes', messages: [user('weather, again')], tools: [WEATHER] });
    expect(await taints()).toHaveLength(2);
  });

  it('lets a token that only reads see the models and begin nothing', async () => {
    const refused = await api.post(PATH, ask('hi'), { token: api.readOnlyToken });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { type: 'permission_error', param: null } });
    const unknown = await api.post(PATH, ask('hi'), { token: 'wrong-token-wrong-token' });
    expect(unknown.status).toBe(401);
    expect(unknown.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await unknown.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
    expect(model.requests).toHaveLength(0);
    const response = await fetch(`${api.url}/v1/models`, {
      headers: { authorization: `Bearer ${api.readOnlyToken}` },
    });
    expect(await response.json()).toMatchObject({
      object: 'list',
      data: [
        { id: 'hermes', object: 'model', owned_by: 'hermes' },
        { id: 'hermes/scripted/script-1', x_hermes: { model: 'scripted/script-1' } },
      ],
    });
  });
});

describe('a client that leaves', () => {
  it.each([true, false])('stops the turn (stream: %s)', async (stream) => {
    model.script({ rules: [], fallback: { text: 'x'.repeat(400), chunk: 1, delayMs: 50 } });
    const left = new AbortController();
    const asked = api.post(PATH, ask('long', { stream, store: true }), { signal: left.signal });
    await expect.poll(() => model.requests.length).toBe(1);
    if (stream) await (await asked).body?.getReader().read();
    left.abort();
    await asked.catch(() => undefined);
    const { sessions, transcript } = await api.host().database();
    const ends = async () => {
      const [session] = await sessions.list({ limit: 1 });
      const facts = session ? await transcript.facts(session.id, 0, 1_000) : [];
      return facts.find(({ type }) => type === 'turn.ended')?.data;
    };
    await expect.poll(ends, { timeout: 5_000 }).toMatchObject({ status: 'aborted' });
  });
});

describe('errors', () => {
  it.each<[string, unknown, Record<string, unknown>]>([
    ['no JSON', '{', { code: null }],
    ['no model', { messages: [user('x')] }, { param: 'model' }],
    ['no messages', { model: 'hermes', messages: [] }, { param: 'messages' }],
    [
      'a role that is none',
      { model: 'hermes', messages: [{ role: 'boss', content: 'x' }] },
      { param: 'messages[0].role' },
    ],
    ['content that is none', { model: 'hermes', messages: [user(7)] }, { param: 'messages[0].content' }],
    ['two answers', ask('x', { n: 2 }), { param: 'n' }],
    ['heat', ask('x', { temperature: 3 }), { param: 'temperature' }],
    ['a forced tool', ask('x', { tools: [WEATHER], tool_choice: 'required' }), { param: 'tool_choice' }],
    ['two tools of one name', ask('x', { tools: [WEATHER, WEATHER] }), { param: 'tools[1]' }],
    ['a form', ask('x', { response_format: { type: 'json_object' } }), { param: 'response_format.type' }],
    [
      'an address of an image',
      ask([{ type: 'image_url', image_url: { url: 'http://127.0.0.1/a.png' } }]),
      { param: 'messages[0].content[0].image_url.url', code: 'invalid_image_url' },
    ],
    [
      'a result without a call',
      { model: 'hermes', messages: [user('x'), { role: 'tool', tool_call_id: 'c', content: 'y' }] },
      { param: 'messages' },
    ],
    [
      'a call without a result',
      {
        model: 'hermes',
        messages: [
          user('x'),
          {
            role: 'assistant',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          user('y'),
        ],
      },
      { param: 'messages' },
    ],
    [
      'an answer as the last message',
      { model: 'hermes', messages: [user('x'), { role: 'assistant', content: 'y' }] },
      { param: 'messages' },
    ],
  ])('%s: 400, in the shape of that API', async (_, body, error) => {
    const response = await api.post(PATH, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: expect.objectContaining({
        type: 'invalid_request_error',
        message: expect.any(String),
        param: null,
        ...('code' in error ? {} : { code: 'invalid_value' }),
        ...error,
      }),
    });
    expect(model.requests).toHaveLength(0);
  });

  it('ignores parameters that it does not know', async () => {
    const { choices } = await complete(
      ask('x', { top_p: 1, seed: 4, logit_bias: {}, parallel_tool_calls: true, user: 'u', made_up: [1] }),
    );
    expect(choices[0]?.message.content).toBe('Done.');
  });

  it.each(['gpt-4o', 'nobody/model', 'hermes/nobody'])('does not know the model %s', async (name) => {
    const response = await api.post(PATH, { ...ask('x'), model: name });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'model_not_found' } });
  });

  it.each<[string, number, string]>([
    ['rate_limit', 429, 'rate_limit_error'],
    ['auth', 502, 'server_error'],
    ['server_error', 502, 'server_error'],
    ['context_overflow', 400, 'invalid_request_error'],
  ])('%s of the model before its first word: %i', async (kind, status, type) => {
    model.plan([{ kind: kind as 'auth', times: 9 }]);
    for (const stream of [true, false]) {
      const response = await api.post(PATH, ask('x', { stream }));
      expect(response.status).toBe(status);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ error: { type } });
      expect(text).not.toContain('k-123456');
    }
  });

  it('are told in the stream once it has begun', async () => {
    model.script({ rules: [], fallback: { text: 'one two three four', chunk: 3 } });
    model.plan([{ kind: 'cut', afterFrames: 3, times: 9 }]);
    const response = await api.post(PATH, ask('x', { stream: true }));
    expect(response.status).toBe(200);
    const events = await sentEvents(response);
    expect(events.at(-1)).toMatchObject({ error: { type: 'server_error', message: expect.any(String) } });
    expect(events).not.toContain('[DONE]');
  });
});

describe('a home without a model', () => {
  it('answers with the built-in operator', async () => {
    const { choices } = await complete({ model: 'hermes/local', messages: [user('hello')] });
    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.stringMatching(/\w/) },
    });
    expect(model.requests).toHaveLength(0);
  });
});
