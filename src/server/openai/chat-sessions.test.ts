import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Script, startModelServer } from '#testkit/model-server';
import { ask, ChatUnderTest, user } from '#support/server/chat-under-test';

const chat = new ChatUnderTest(() => startModelServer({ script: { rules: [] } }));
const play = (rules: Script['rules']) => chat.model.script({ rules, fallback: { text: 'Done.' } });
beforeEach(async () => {
  await chat.open();
  play([]);
});
afterEach(() => chat.close());
afterAll(() => chat.stop());

describe('a session', () => {
  it('is gone on with by its id, and sends the same prefix', async () => {
    const response = await chat.post(ask('one'), { headers: { 'x-hermes-session': 'new' } });
    const session = response.headers.get('x-hermes-session') ?? '';
    expect(session).toMatch(/^ses_/);
    await response.text();
    await chat.complete(ask('two'), { 'x-hermes-session': session });
    expect(chat.sentMessages().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const [first, second] = chat.model.requests.map(
      ({ body }) => body as { messages: unknown[]; tools: unknown },
    );
    expect(second?.messages[0]).toEqual(first?.messages[0]);
    expect(second?.tools).toEqual(first?.tools);
  });

  it('takes only what is new from a client that sends everything', async () => {
    const { x_hermes } = await chat.complete(ask('one', { store: true }));
    const messages = [user('one'), { role: 'assistant', content: 'Done.' }, user('two')];
    await chat.complete({ model: 'hermes', messages }, { 'x-hermes-session': x_hermes.session ?? '' });
    expect(chat.sentMessages()).toHaveLength(3);
  });

  it('of somebody else is not found', async () => {
    const host = chat.api.host();
    const talk = await host.conversation({ cwd: chat.api.cwd, language: 'en', platform: 'cli' });
    for await (const _ of talk.send([{ type: 'text', text: 'private' }], new AbortController().signal));
    for (const id of [talk.session.id, 'ses_none']) {
      const response = await chat.post(ask('x'), { headers: { 'x-hermes-session': id } });
      expect(response.status).toBe(404);
    }
  });

  it('answers one request at a time', async () => {
    const { x_hermes } = await chat.complete(ask('one', { store: true }));
    const headers = { 'x-hermes-session': x_hermes.session ?? '' };
    chat.model.script({ rules: [], fallback: { text: 'slow answer', chunk: 1, delayMs: 40 } });
    const slow = await chat.post(ask('two', { stream: true }), { headers });
    const other = await chat.post(ask('three'), { headers });
    expect(other.status).toBe(409);
    await slow.text();
    await chat.complete(ask('three'), headers);
  });
});

describe('a client that leaves', () => {
  it.each([true, false])('stops the turn (stream: %s)', async (stream) => {
    chat.model.script({ rules: [], fallback: { text: 'x'.repeat(400), chunk: 1, delayMs: 50 } });
    const left = new AbortController();
    const asked = chat.post(ask('long', { stream, store: true }), { signal: left.signal });
    await expect.poll(() => chat.model.requests.length, { timeout: 10_000 }).toBe(1);
    if (stream) await (await asked).body?.getReader().read();
    left.abort();
    await asked.catch(() => undefined);
    const { sessions, transcript } = await chat.api.host().database();
    const ends = async () => {
      const [session] = await sessions.list({ limit: 1 });
      const facts = session ? await transcript.facts(session.id, 0, 1_000) : [];
      return facts.find(({ type }) => type === 'turn.ended')?.data;
    };
    await expect.poll(ends, { timeout: 10_000 }).toMatchObject({ status: 'aborted' });
  });
});
