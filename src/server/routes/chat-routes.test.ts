import { userInfo } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, type Script, startModelServer } from '#testkit/model-server';
import { type Follower, type Person, type ScriptedChat, scriptedChat } from '#support/server/scripted-chat';

let model: ModelServer;
let chat: ScriptedChat;
beforeAll(async () => {
  model = await startModelServer({ script: { rules: [] } });
});
afterAll(() => model.close());
beforeEach(async () => {
  chat = await scriptedChat(model.url);
});
afterEach(() => chat.close());

const play = (rules: Script['rules'], fallback = { text: 'Done.' }) => model.script({ rules, fallback });
const calling = (name: string, input: Record<string, string>) => ({
  toolCalls: [{ name, arguments: input }],
});
const ran = (name: string, input: Record<string, string>, then: string): Script['rules'] => [
  { when: { afterTool: name }, reply: { text: then } },
  { when: { contains: 'go' }, reply: calling(name, input) },
];

const begin = async (who: Person): Promise<string> => {
  const { status, body } = await chat.ask(who, '/api/chat', {});
  expect(status).toBe(201);
  return String(body['session']);
};
const say = (who: Person, session: string, text: string, more = {}) =>
  chat.ask(who, `/api/chat/${session}/messages`, { text, ...more });
const isOver = ({ status, items }: Follower) => !status['running'] && items.length > 1;
const shownOf = (follower: Follower) => follower.items.map(({ kind, text }) => [kind, text]);

/** Says something in a new conversation and waits for the end. */
async function talk(who: Person, text: string): Promise<{ session: string; follower: Follower }> {
  const session = await begin(who);
  const follower = await chat.follow(who, session);
  expect((await say(who, session, text)).status).toBe(202);
  await follower.until(isOver);
  return { session, follower };
}

/** Begins a turn whose call needs agreement. */
async function asked(who: Person): Promise<{ session: string; follower: Follower; question: string }> {
  play(ran('terminal', { command: 'git push --force' }, 'It is done.'));
  const session = await begin(who);
  const follower = await chat.follow(who, session);
  await say(who, session, 'go on');
  await follower.until(({ questions }) => questions.length > 0);
  return { session, follower, question: String(follower.questions[0]?.['id']) };
}

describe('a turn', () => {
  it('is answered as it is written, and is there again after a restart', async () => {
    play([
      { when: { contains: 'pool' }, reply: { thinking: 'Twenty.', text: 'The pool has **20**.', chunk: 4 } },
    ]);
    const { session, follower } = await talk('olga', 'how large is the pool?');
    const said = [
      ['user', 'how large is the pool?'],
      ['thinking', 'Twenty.'],
      ['text', 'The pool has **20**.'],
    ];
    expect(shownOf(follower)).toEqual(said);
    expect(follower.kinds).toContain('grow');
    expect(follower.status).toMatchObject({ title: 'how large is the pool?', model: 'scripted/script-1' });
    await chat.restart();
    expect(shownOf(await chat.follow('olga', session).then(settled))).toEqual(said);
    expect(await chat.ask('olga', '/api/chat')).toMatchObject({
      body: [{ id: session, title: 'how large is the pool?', source: 'console', running: false }],
    });
  });

  it('goes on while nobody listens, and whoever comes in the middle sees all of it', async () => {
    play([], { text: 'one two three four five six', chunk: 4, delayMs: 40 } as never);
    const session = await begin('olga');
    const first = await chat.follow('olga', session);
    await say('olga', session, 'count');
    await first.until(({ items }) => String(items[1]?.['text']).includes('two'));
    first.leave();
    const second = await chat.follow('olga', session).then(settled);
    expect(String(second.items[1]?.['text'])).toMatch(/^one two/);
    await second.until(isOver);
    expect(shownOf(second)).toEqual([
      ['user', 'count'],
      ['text', 'one two three four five six'],
    ]);
  });

  it('is followed from a place, and from a snapshot where that place is of another process', async () => {
    play([]);
    const { session, follower } = await talk('olga', 'hello');
    const later = await chat.follow('olga', session, `?after=${follower.place}`);
    await say('olga', session, 'again');
    await later.until(({ kinds }) => kinds.includes('grow') || kinds.includes('put'));
    expect(later.kinds).not.toContain('snapshot');
    const place = follower.place;
    await chat.restart();
    const after = await chat.follow('olga', session, `?after=${place}`).then(settled);
    expect(after.kinds[0]).toBe('snapshot');
  });

  it('shows its calls, and what they were given and gave', async () => {
    play(ran('read_file', { path: 'notes.txt' }, 'Twenty.'));
    const { session, follower } = await talk('olga', 'go and look');
    expect(follower.items[1]).toMatchObject({
      kind: 'tool',
      name: 'read_file',
      state: 'done',
      ms: expect.any(Number),
    });
    const call = String(follower.items[1]?.['call']);
    expect((await chat.ask('olga', `/api/chat/${session}/calls/${call}`)).body).toMatchObject({
      name: 'read_file',
      arguments: '{"path":"notes.txt"}',
      result: { isError: false, text: expect.stringContaining('pool size 20') },
    });
    const live = follower.items;
    await chat.restart();
    const again = (await chat.follow('olga', session).then(settled)).items;
    const plain = (items: readonly Record<string, unknown>[]) => items.map((item) => ({ ...item, at: 0 }));
    expect(plain(again)).toEqual(plain(live));
  });

  it('is stopped, and hears what is said meanwhile', async () => {
    play([
      { when: { afterTool: 'read_file' }, reply: { text: 'x'.repeat(400), chunk: 2, delayMs: 20 } },
      ...ran('read_file', { path: 'notes.txt' }, ''),
    ]);
    const session = await begin('olga');
    const follower = await chat.follow('olga', session);
    await say('olga', session, 'go');
    await follower.until(({ items }) => items.some(({ kind }) => kind === 'text'));
    expect(await chat.ask('olga', `/api/chat/${session}/steer`, { text: 'be short' })).toMatchObject({
      status: 202,
      body: { turn: 1, steered: true },
    });
    expect((await chat.ask('olga', `/api/chat/${session}/command`, { line: '/undo' })).status).toBe(409);
    expect((await chat.ask('olga', `/api/chat/${session}/stop`, {})).body).toEqual({ stopped: true });
    await follower.until(isOver);
    expect(follower.items.slice(-2)).toEqual([{ kind: 'stopped' }, { kind: 'unsaid', text: 'be short' }]);
  });

  it('may carry a picture, which is given back as one', async () => {
    play([]);
    const data =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const session = await begin('olga');
    const follower = await chat.follow('olga', session);
    await say('olga', session, 'look', { images: [{ mediaType: 'image/png', data }] });
    await follower.until(isOver);
    expect(follower.items[0]?.['images']).toEqual([{ message: expect.stringMatching(/^msg_/), part: 1 }]);
    const [{ message } = { message: '' }] = (follower.items[0]?.['images'] ?? []) as { message: string }[];
    const picture = (who: Person) => chat.ask(who, `/api/chat/${session}/messages/${message}/images/1`);
    expect(await picture('olga')).toEqual({ status: 200, body: { type: 'image/png', size: 70 } });
    expect((await picture('anna')).status).toBe(404);
    expect((await say('olga', session, 'x', { images: [{ mediaType: 'image/svg+xml', data }] })).status).toBe(
      400,
    );
  });

  it('works without a model', async () => {
    await chat.close();
    chat = await scriptedChat(undefined);
    const { follower } = await talk('olga', 'status');
    expect(follower.items.map(({ kind }) => kind)).toContain('text');
    expect(follower.status['model']).toBeUndefined();
  });
});

describe('a question of the gate', () => {
  it('shows exactly what would run, refuses first, and is not answered by whoever may not agree', async () => {
    const { session, follower, question } = await asked('olga');
    expect(follower.questions[0]).toMatchObject({
      choices: ['No', 'Yes, this once', expect.any(String), expect.any(String)],
      approval: { tool: 'terminal', shown: expect.stringContaining('git push --force'), separate: false },
    });
    const answer = (body: object) => chat.ask('olga', `/api/chat/${session}/answers/${question}`, body);
    expect((await answer({ choice: 1 })).status).toBe(403);
    expect((await answer({ text: 'Yes, this once' })).status).toBe(400);
    const { id } = (follower.questions[0]?.['approval'] ?? {}) as { id?: string };
    const slash = await chat.ask('olga', `/api/chat/${session}/command`, { line: `/APPROVE ${id}` });
    expect(slash.status).toBe(409);
    // Somebody else's agreement does not come in through this chat either.
    expect((await chat.ask('anna', `/api/chat/${session}/answers/${question}`, { choice: 1 })).status).toBe(
      404,
    );
    expect(follower.questions).toHaveLength(1);
    expect((await answer({ choice: 0 })).status).toBe(200);
    await follower.until(isOver);
    expect(follower.items[1]).toMatchObject({ kind: 'tool', state: 'failed' });
    expect((await answer({ choice: 1 })).status).toBe(409);
    const approve = await chat.ask('olga', `/api/chat/${session}/command`, { line: `/APPROVE ${id}` });
    expect(approve.status).toBe(403);
  });

  it('is answered by the approver whose chat it is, also after the page was loaded again', async () => {
    const { session, follower, question } = await asked('anna');
    follower.leave();
    const again = await chat.follow('anna', session).then(settled);
    expect(again.questions).toMatchObject([{ id: question }]);
    await chat.ask('anna', `/api/chat/${session}/answers/${question}`, { choice: 1 });
    await again.until(isOver);
    expect(again.questions).toEqual([]);
    const gate = await chat.host().gate();
    const [approval] = await gate.approvals.list({ limit: 1 });
    expect(approval).toMatchObject({
      state: 'used',
      requester: { platform: 'console', user: 'anna', caller: 'chat' },
      decidedBy: { channel: 'console', user: 'anna' },
    });
  });

  it('that nobody answers is denied in the time of the gate', async () => {
    await chat.close();
    chat = await scriptedChat(model.url, 'gate:\n  wait_s: 1\n');
    const { follower } = await asked('anna');
    await follower.until(isOver);
    expect(follower.items[1]).toMatchObject({ kind: 'tool', state: 'failed' });
    const [approval] = await (await chat.host().gate()).approvals.list({ limit: 1 });
    expect(approval?.state).toBe('expired');
  });

  it('ends with the turn', async () => {
    const { session, follower } = await asked('anna');
    await chat.ask('anna', `/api/chat/${session}/stop`, {});
    await follower.until(isOver);
    expect(follower.questions).toEqual([]);
    expect(follower.items.at(-1)).toEqual({ kind: 'stopped' });
  });
});

it('asks what a tool wants to know, and takes words of one’s own', async () => {
  play(ran('clarify', { question: 'Which region?' }, 'Understood.'));
  const session = await begin('olga');
  const follower = await chat.follow('olga', session);
  await say('olga', session, 'go');
  await follower.until(({ questions }) => questions.length > 0);
  expect(follower.questions[0]).toMatchObject({ text: 'Which region?', choices: [] });
  await chat.ask('olga', `/api/chat/${session}/answers/${String(follower.questions[0]?.['id'])}`, {
    text: 'eu-1',
  });
  await follower.until(isOver);
  expect(follower.items[1]).toMatchObject({ summary: 'eu-1' });
});

describe('commands', () => {
  it('are listed, run, and shown', async () => {
    play([]);
    const { body } = await chat.ask('olga', '/api/chat/commands?language=zh');
    expect(body).toContainEqual({ name: '/undo', usage: '', summary: '撤回上一轮' });
    const { session, follower } = await talk('olga', 'hello');
    await chat.ask('olga', `/api/chat/${session}/command`, { line: '/title A better name' });
    await follower.until(({ status }) => status['title'] === 'A better name');
    expect(follower.items.at(-1)).toEqual({
      kind: 'command',
      line: '/title A better name',
      text: 'A better name',
    });
    await chat.ask('olga', `/api/chat/${session}/command`, { line: '/undo' });
    await follower.until(({ items }) => items.length === 1);
    expect(follower.items[0]).toMatchObject({ kind: 'command', line: '/undo' });
  });

  it('lead to other sessions of the same person alone', async () => {
    play([]);
    const { session: hers } = await talk('anna', 'mine');
    const { session } = await talk('olga', 'hello');
    const run = (line: string) => chat.ask('olga', `/api/chat/${session}/command`, { line });
    expect((await run(`/resume ${hers}`)).status).toBe(404);
    expect((await run('/new')).body).toEqual({ go: 'new' });
    const forked = await run('/fork');
    expect(forked.body).toEqual({ session: expect.stringMatching(/^ses_/) });
    const copy = await chat.follow('olga', String(forked.body['session'])).then(settled);
    expect(shownOf(copy)).toEqual([
      ['user', 'hello'],
      ['text', 'Done.'],
    ]);
    expect((await run(`/resume ${String(forked.body['session'])}`)).body).toEqual(forked.body);
  });

  it('try again what was said', async () => {
    play([{ when: { contains: 'hello' }, reply: [{ text: 'First.' }, { text: 'Second.' }] }]);
    const { session, follower } = await talk('olga', 'hello');
    await chat.ask('olga', `/api/chat/${session}/command`, { line: '/retry' });
    await follower.until((each) => isOver(each) && JSON.stringify(each.items).includes('Second.'));
    expect(shownOf(follower)).toEqual([
      ['user', 'hello'],
      ['text', 'Second.'],
    ]);
  });
});

describe('whose conversation it is', () => {
  it('nobody else sees it, not even the owner', async () => {
    play([]);
    const { session } = await talk('olga', 'hello');
    for (const who of ['anna', 'owner'] as const) {
      expect((await chat.ask(who, '/api/chat')).body).toEqual([]);
      expect((await say(who, session, 'hello')).status).toBe(404);
      expect((await chat.ask(who, `/api/chat/${session}/items?before=1`)).status).toBe(404);
      expect((await chat.ask(who, `/api/chat/${session}/command`, { line: '/help' })).status).toBe(404);
      await expect(chat.follow(who, session)).rejects.toThrow('404');
    }
  });

  it('a viewer has none', async () => {
    expect((await chat.ask('vera', '/api/chat')).status).toBe(403);
    expect((await chat.ask('vera', '/api/chat', {})).status).toBe(403);
  });

  it('the owner goes on in one of the terminal, for which its own audience holds', async () => {
    play([]);
    const terminal = await chat.host().conversation({ cwd: chat.cwd, language: 'en', platform: 'cli' });
    await terminal.send([{ type: 'text', text: 'from the terminal' }], AbortSignal.timeout(20_000)).result();
    const { id } = terminal.session;
    expect((await chat.ask('anna', '/api/chat')).body).toEqual([]);
    expect((await say('anna', id, 'hello')).status).toBe(404);
    expect((await chat.ask('owner', '/api/chat')).body).toMatchObject([{ id, source: 'cli' }]);
    const follower = await chat.follow('owner', id).then(settled);
    expect(shownOf(follower)[0]).toEqual(['user', 'from the terminal']);
    await say('owner', id, 'from the page');
    await follower.until((each) => isOver(each) && each.items.length === 4);
    const { sessions } = await chat.host().database();
    const user = userInfo().username;
    expect((await sessions.get(id))?.session).toMatchObject({ source: 'cli', user, messages: 4 });
  });
});

async function settled(follower: Follower): Promise<Follower> {
  await follower.until(({ kinds }) => kinds.length > 0);
  return follower;
}
