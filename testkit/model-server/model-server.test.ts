import { PROTOCOL_IDS } from '#spec/data';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RAW_REQUESTS, rawAnswer, rawCall, readFrames } from '#support/testkit/raw-call';
import { demoScript } from './demo-script.ts';
import { type ModelServer, type ModelServerOptions, startModelServer } from './model-server.ts';

const servers: ModelServer[] = [];
async function start(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(options);
  servers.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('close', () => {
  it('ends connections that stall, wait or are slow, and does not hang', async () => {
    const server = await start({
      script: { rules: [], fallback: { text: 'x'.repeat(500), delayMs: 60_000 } },
    });
    server.plan([
      { kind: 'stall', afterFrames: 2, times: 4 },
      { kind: 'stall_headers', times: 1 },
      { kind: 'slow_first_byte', ms: 60_000, times: 1 },
    ]);
    server.script({ rules: [] });
    const stalled = PROTOCOL_IDS.map((protocol) => rawCall(server.url, protocol));
    await Promise.all(stalled.map((call) => call.frames(2)));
    const waiting = [1, 2].map(() => rawCall(server.url, 'chat_completions'));
    await vi.waitFor(() => expect(server.requests).toHaveLength(6));
    server.script({ rules: [], fallback: { text: 'x'.repeat(500), delayMs: 60_000 } });
    const slow = rawCall(server.url, 'chat_completions');
    await slow.frames(1);
    await server.close();
    const ends = await Promise.all([...stalled, ...waiting, slow].map((call) => call.over));
    expect(ends.map((end) => end.cut)).toEqual(ends.map(() => true));
    expect(server.requests.map((request) => request.aborted)).toEqual(ends.map(() => false));
  });

  it('can be left to `await using`', async () => {
    let url: string;
    {
      await using server = await startModelServer();
      url = server.url;
      expect((await rawAnswer(url, 'chat_completions')).status).toBe(200);
    }
    await expect(rawAnswer(url, 'chat_completions')).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('requests', () => {
  it('are recorded, and no key reaches the log', async () => {
    const lines: string[] = [];
    const server = await start({ log: (line) => lines.push(line) });
    const headers = { authorization: 'Bearer sk-very-secret' };
    await rawAnswer(server.url, 'chat_completions', {
      headers,
      path: '/v1/chat/completions?key=sk-very-secret',
    });
    expect(server.requests).toMatchObject([
      {
        protocol: 'chat_completions',
        path: '/v1/chat/completions?key=sk-very-secret',
        model: 'm',
        key: 'sk-very-secret',
        headers,
        body: RAW_REQUESTS.chat_completions.body,
        aborted: false,
      },
    ]);
    expect(lines).toEqual(['chat_completions /v1/chat/completions model=m: fallback']);
    server.reset();
    expect(server.requests).toEqual([]);
  });

  it('that the client gives up are marked', async () => {
    const server = await start({
      script: { rules: [], fallback: { text: 'x'.repeat(500), delayMs: 60_000 } },
    });
    const call = rawCall(server.url, 'anthropic_messages');
    await call.frames(1);
    call.abandon();
    await vi.waitFor(() => expect(server.requests[0]?.aborted).toBe(true));
  });

  it('are refused when the body is no JSON, and when nothing is served at the path', async () => {
    const { url } = await start();
    const broken = await fetch(`${url}/v1/messages`, { method: 'POST', body: '{"model":' });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect((await fetch(`${url}/v1/else`)).status).toBe(404);
  });
});

describe('a script', () => {
  it.each(PROTOCOL_IDS)('lets only its keys in over %s', async (protocol) => {
    const { url } = await start({ script: { keys: ['good'], rules: [] } });
    const status = async (headers: Record<string, string>) =>
      (await rawAnswer(url, protocol, { headers })).status;
    const refused = protocol === 'bedrock_converse' ? 403 : 401;
    expect(await status({})).toBe(refused);
    expect(await status({ 'x-api-key': 'bad' })).toBe(refused);
    expect(await status({ 'x-api-key': 'good' })).toBe(200);
    expect(await status({ authorization: 'Bearer good' })).toBe(200);
    const signed =
      'AWS4-HMAC-SHA256 Credential=good/20260101/us-east-1/bedrock/aws4_request, SignedHeaders=host';
    expect(await status({ authorization: signed })).toBe(200);
  });

  it.each([
    ['chat_completions', /maximum context length is 1 tokens. However, your messages resulted in 2 tokens/],
    ['codex_responses', /exceeds the context window/],
    ['anthropic_messages', /prompt is too long: 2 tokens > 1 maximum/],
    ['bedrock_converse', /Input is too long/],
  ] as const)('gives a model a window over %s', async (protocol, words) => {
    const { url } = await start({ script: { models: [{ id: 'm', contextWindow: 1 }], rules: [] } });
    expect(await rawAnswer(url, protocol)).toMatchObject({ status: 400, text: expect.stringMatching(words) });
  });

  it('can set every number of the usage', async () => {
    const usage = { input: 5, output: 7, cacheRead: 11, cacheWrite: 13, reasoning: 3 };
    const { url } = await start({ script: { rules: [], fallback: { text: 'x', usage } } });
    const { bytes } = await rawAnswer(url, 'bedrock_converse');
    expect(JSON.parse(readFrames('bedrock_converse', bytes).at(-1)?.data ?? '')).toMatchObject({
      usage: {
        inputTokens: 5,
        outputTokens: 7,
        cacheReadInputTokens: 11,
        cacheWriteInputTokens: 13,
        totalTokens: 36,
      },
    });
  });

  it('can put thinking into the other field of chat completions, and cut deltas as it likes', async () => {
    const fallback = { thinking: '思考🙂', text: 'ab', chunk: 1, thinkingField: 'reasoning' as const };
    const { url } = await start({ script: { rules: [], fallback } });
    const { bytes } = await rawAnswer(url, 'chat_completions');
    const deltas = readFrames('chat_completions', bytes)
      .slice(1, -2)
      .map(({ data }) => JSON.parse(data).choices[0].delta);
    expect(deltas).toEqual([
      { reasoning: '思' },
      { reasoning: '考' },
      { reasoning: '🙂' },
      { content: 'a' },
      { content: 'b' },
    ]);
  });

  it('gives a retry the reply that a fault kept back', async () => {
    const server = await start({
      script: { rules: [{ when: {}, reply: [{ text: 'one' }, { text: 'two' }] }] },
    });
    const ask = async () => (await rawAnswer(server.url, 'chat_completions')).text;
    server.plan([{ kind: 'cut', afterFrames: 1, times: 1 }]);
    await ask();
    expect(await ask()).toContain('one');
    expect(await ask()).toContain('two');
    server.reset();
    server.plan([{ kind: 'slow_first_byte', ms: 1, times: 1 }]);
    expect(await ask()).toContain('one');
    expect(await ask()).toContain('two');
    server.reset();
    expect(await ask()).toContain('one');
  });

  it('counts a rule as used only when its own words or faults went out', async () => {
    const server = await start({ script: { rules: [{ when: {}, reply: { text: 'once' }, times: 1 }] } });
    const ask = async () => (await rawAnswer(server.url, 'chat_completions')).text;
    server.plan([{ kind: 'cut', afterFrames: 1, times: 1 }]);
    await ask();
    expect(await ask()).toContain('once');
    expect(await ask()).not.toContain('once');
  });

  it('is checked when it is set', async () => {
    const server = await start();
    expect(() => server.script({ rules: [{ when: {}, reply: { txt: 'x' } }] } as never)).toThrow(
      /did you mean `text`/,
    );
    await expect(startModelServer({ script: {} as never })).rejects.toThrow(/script\.rules/);
  });
});

const say = async (url: string, content: unknown) => {
  const body = { model: 'scripted', messages: [{ role: 'user', content }] };
  const { text } = await rawAnswer(url, 'chat_completions', { body });
  return JSON.parse(text).choices[0].message;
};

describe('the demo script', () => {
  it.each([
    ['hello', /^Hello!.*scripted/],
    ['你好', /^你好！/],
    ['please think', /51/],
    ['想一想', /51/],
    ['show me an image', /no image/],
    ['发一张图片', /没有图片/],
    ['the weather?', /repeats what you said.*the weather\?/s],
    ['天气怎么样', /重复你说的话.*天气怎么样/s],
  ])('answers %s', async (text, expected) => {
    const { url } = await start({ script: demoScript });
    expect((await say(url, text)).content).toMatch(expected);
  });

  it('thinks, calls two tools at once, and counts images', async () => {
    const { url } = await start({ script: demoScript });
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const called = await say(url, 'use your tools');
    expect(called.reasoning_content).toMatch(/Metrics and logs/);
    expect(called.tool_calls).toHaveLength(2);
    expect((await say(url, [{ type: 'text', text: 'look' }, image, image])).content).toMatch(/2 image/);
    expect((await say(url, [{ type: 'text', text: '看' }, image])).content).toMatch(/1 张图片/);
  });
});
