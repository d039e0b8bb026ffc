import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Script, startModelServer } from '#testkit/model-server';
import { ask, ChatUnderTest, user, WEATHER } from '#support/server/chat-under-test';
import { sentEvents } from '#support/server/scripted-api';

const chat = new ChatUnderTest(() => startModelServer({ script: { rules: [] } }));
const play = (rules: Script['rules']) => chat.model.script({ rules, fallback: { text: 'Done.' } });
beforeEach(async () => {
  await chat.open();
  play([]);
});
afterEach(() => chat.close());
afterAll(() => chat.stop());

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
    const response = await chat.post(body);
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
    expect(chat.model.requests).toHaveLength(0);
  });

  it('ignores parameters that it does not know', async () => {
    const { choices } = await chat.complete(
      ask('x', { top_p: 1, seed: 4, logit_bias: {}, parallel_tool_calls: true, user: 'u', made_up: [1] }),
    );
    expect(choices[0]?.message.content).toBe('Done.');
  });

  it.each(['gpt-4o', 'nobody/model', 'hermes/nobody'])('does not know the model %s', async (name) => {
    const response = await chat.post({ ...ask('x'), model: name });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'model_not_found' } });
  });

  it.each<[string, number, string]>([
    ['rate_limit', 429, 'rate_limit_error'],
    ['auth', 502, 'server_error'],
    ['server_error', 502, 'server_error'],
    ['context_overflow', 400, 'invalid_request_error'],
  ])('%s of the model before its first word: %i', async (kind, status, type) => {
    chat.model.plan([{ kind: kind as 'auth', times: 9 }]);
    for (const stream of [true, false]) {
      const response = await chat.post(ask('x', { stream }));
      expect(response.status).toBe(status);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ error: { type } });
      expect(text).not.toContain('k-123456');
    }
  });

  it('are told in the stream once it has begun', async () => {
    chat.model.script({ rules: [], fallback: { text: 'one two three four', chunk: 3 } });
    chat.model.plan([{ kind: 'cut', afterFrames: 3, times: 9 }]);
    const response = await chat.post(ask('x', { stream: true }));
    expect(response.status).toBe(200);
    const events = await sentEvents(response);
    expect(events.at(-1)).toMatchObject({ error: { type: 'server_error', message: expect.any(String) } });
    expect(events).not.toContain('[DONE]');
  });
});
