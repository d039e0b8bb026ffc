import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Script, startModelServer } from '#testkit/model-server';
import { ask, ChatUnderTest, calling, user } from '#support/server/chat-under-test';
import { sentBody, sentEvents } from '#support/server/scripted-api';

const chat = new ChatUnderTest(() => startModelServer({ script: { rules: [] } }));
const play = (rules: Script['rules']) => chat.model.script({ rules, fallback: { text: 'Done.' } });
beforeEach(async () => {
  await chat.open();
  play([]);
});
afterEach(() => chat.close());
afterAll(() => chat.stop());

const readNotes = { when: { contains: 'pool', turn: 0 }, reply: calling('read_file', { path: 'notes.txt' }) };
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('an answer', () => {
  it('comes whole, with its usage', async () => {
    chat.model.script({
      rules: [],
      fallback: { text: 'Hello there.', usage: { input: 90, cacheRead: 10, output: 7, reasoning: 2 } },
    });
    expect(await chat.complete(ask('hi'))).toMatchObject({
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
    const response = await chat.post(ask('how large is the pool?', { stream: true }));
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
    const events = (await sentEvents(await chat.post(body))).slice(0, -1) as Record<string, unknown>[];
    const { usage, choices } = events.at(-1) as { usage: Record<string, number>; choices: unknown[] };
    expect(choices).toEqual([]);
    expect(usage['total_tokens']).toBe((usage['prompt_tokens'] ?? 0) + (usage['completion_tokens'] ?? 0));
    const once = sentBody(chat.model, 0);
    expect(chat.model.requests).toHaveLength(2);
    expect(usage['prompt_tokens']).toBeGreaterThan(JSON.stringify(once.messages).length / 4);
    expect(events.slice(0, -1).every((chunk) => chunk['usage'] === null)).toBe(true);
  });

  it('says where it was cut: at the limit of the client, which nobody goes beyond', async () => {
    chat.model.script({ rules: [], fallback: { text: 'half of', stop: 'length' } });
    expect(await chat.complete(ask('tell', { max_tokens: 5 }))).toMatchObject({
      choices: [{ finish_reason: 'length', message: { content: 'half of' } }],
    });
    expect(chat.model.requests).toHaveLength(1);
    expect(chat.model.requests[0]?.body).toMatchObject({ max_tokens: 5 });
  });

  it('says that it was withheld', async () => {
    chat.model.script({ rules: [], fallback: { text: 'I', stop: 'content_filter' } });
    expect(await chat.complete(ask('tell'))).toMatchObject({
      choices: [{ finish_reason: 'content_filter' }],
    });
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
    await chat.complete({ model: 'hermes/scripted/script-2', messages, temperature: 0.3 });
    const body = sentBody(chat.model, 0);
    expect(body).toMatchObject({ model: 'script-2', temperature: 0.3 });
    expect(JSON.stringify(body.messages[0])).toContain('Speak like a pirate.');
    expect(chat.sentMessages().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(chat.sentMessages()[2])).toContain('look');
    const { sessions } = await chat.api.host().database();
    expect(await sessions.list({ limit: 10 })).toEqual([]);
  });

  it('takes @ for what it is', async () => {
    await chat.complete(ask('what is in @notes.txt and @file:notes.txt?'));
    expect(JSON.stringify(chat.sentMessages())).not.toContain('pool size 20');
  });
});

describe('a home without a model', () => {
  it('answers with the built-in operator', async () => {
    const { choices } = await chat.complete({ model: 'hermes/local', messages: [user('hello')] });
    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.stringMatching(/\w/) },
    });
    expect(chat.model.requests).toHaveLength(0);
  });
});
