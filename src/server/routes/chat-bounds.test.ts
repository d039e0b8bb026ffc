import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, type Script, startModelServer } from '#testkit/model-server';
import { type Follower, type Person, type ScriptedChat, scriptedChat } from '#support/server/scripted-chat';

/** What a person who may talk may not do by talking, and how much of it at once. */
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

/** The key of the model's provider: the home knows it for a secret. */
const SECRET = 'k-123456';
const play = (rules: Script['rules'], fallback = { text: 'Done.' }) => model.script({ rules, fallback });
const begin = async (who: Person): Promise<string> =>
  String((await chat.ask(who, '/api/chat', {})).body['session']);
const say = (who: Person, session: string, text: string) =>
  chat.ask(who, `/api/chat/${session}/messages`, { text });
const command = (who: Person, session: string, line: string) =>
  chat.ask(who, `/api/chat/${session}/command`, { line });
const isOver = ({ status, items }: Follower) => !status['running'] && items.length > 1;

describe('a command', () => {
  it('takes files back for those alone who may agree to a change', async () => {
    const session = await begin('olga');
    for (const line of [
      '/rollback confirm 1',
      '/ROLLBACK confirm c1 notes.txt',
      '/rollback  confirm',
      '/rollback\nconfirm undo',
    ])
      expect([line, (await command('olga', session, line)).status]).toEqual([line, 403]);
    for (const line of ['/rollback', '/rollback diff 1', '/rollback 1', '/rollback undo'])
      expect([line, (await command('olga', session, line)).status]).toEqual([line, 200]);
    expect((await command('anna', await begin('anna'), '/rollback confirm 1')).status).toBe(200);
  });

  it('writes no skill that waits for the owner', async () => {
    const { staged } = await chat.host().memory();
    const draft = (id: string, user: string) =>
      staged.add({
        id,
        scope: `person/console/${user}`,
        target: 'skill',
        tool: 'learned_change',
        input: { action: 'create', skill: 'evil', why: 'x', changes: [] },
        shown: 'create evil',
        why: 'learned',
        at: Date.now(),
      });
    await draft('wr_1', 'anna');
    await draft('wr_2', 'somebody');
    const session = await begin('anna');
    for (const line of ['/memory approve wr_1', '/memory approve all', '/Memory  approve x wr_1'])
      expect([line, (await command('anna', session, line)).status]).toEqual([line, 403]);
    expect((await staged.list()).map(({ id }) => id)).toEqual(['wr_1', 'wr_2']);
    // What waits for others is no reason to refuse.
    expect((await command('olga', await begin('olga'), '/memory approve all')).status).toBe(200);
  });

  it('changes no rule of the house for whoever may not agree to anything', async () => {
    const { memory, staged } = await chat.host().memory();
    const rule = { kind: 'governance_rule', provenance: { by: 'user' } } as const;
    const local = { audience: { source: 'cli', user: 'somebody', chat: '' }, shared: false };
    const kept = await memory.remember({ ...rule, text: 'restarts of ledger need approval' }, local);
    if (kept.status === 'refused') throw new Error(kept.why);
    const { id } = kept.entry;
    await staged.add({
      id: 'wr_rule',
      scope: 'team',
      target: 'entry',
      tool: 'memory',
      input: { ...rule, scope: 'team', text: 'never restart cart', at: 1 },
      shown: 'never restart cart',
      why: 'told where nobody could be asked',
      at: Date.now(),
    });
    const rules = async () => (await memory.list(undefined, { kinds: ['governance_rule'], limit: 9 })).length;
    const lines = [
      `/rules remove ${id}`,
      `/RULES  remove\n${id}`,
      `/memory forget ${id}`,
      `/memory forget x ${id}`,
      '/memory approve wr_rule',
      '/memory approve all',
    ];
    // The token of the owner lies in the home: it shows no person.
    for (const who of ['olga', 'owner'] as const) {
      const session = await begin(who);
      for (const line of lines)
        expect([line, (await command(who, session, line)).status]).toEqual([line, 403]);
      expect((await command(who, session, '/rules')).status).toBe(200);
    }
    const { body } = await command('olga', await begin('olga'), `/rules remove ${id}`);
    expect(body).toMatchObject({ detail: "The role 'operator' may not change the rules of the house." });
    expect(await rules()).toBe(1);
    const session = await begin('anna');
    expect((await command('anna', session, '/memory approve wr_rule')).status).toBe(200);
    expect(await rules()).toBe(2);
    expect((await command('anna', session, `/rules remove ${id}`)).status).toBe(200);
    expect(await rules()).toBe(1);
  });

  it('leaves no more behind than the transcript after many of them', async () => {
    const session = await begin('olga');
    const follower = await chat.follow('olga', session);
    for (let n = 0; n < 205; n++) expect((await command('olga', session, '/help')).status).toBe(200);
    await follower.until(({ items }) => items.length === 5);
    follower.leave();
  }, 60_000);
});

describe('at once', () => {
  it('many who begin get the same conversation, and many that are opened do not get past the limit', async () => {
    const begun = await Promise.all(Array.from({ length: 40 }, () => begin('olga')));
    expect(new Set(begun).size).toBe(1);

    const { sessions } = await chat.host().database();
    const like = { source: 'console', user: 'olga', chat: 'console' };
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const ids = Array.from({ length: 40 }, (_, n) => `ses_flood_${100 + n}`);
    for (const id of ids)
      await sessions.create(
        { ...like, id, createdAt: 1, updatedAt: 1, messages: 0, usage, cost: 0 },
        { system: [{ text: 'You are Hermes.' }], tools: [] },
      );
    const open = (some: readonly string[]) =>
      Promise.all(some.map((id) => chat.ask('olga', `/api/chat/${id}/items?before=1&limit=1`)));
    expect((await open(ids)).every(({ status }) => status === 200 || status === 503)).toBe(true);
    // Somebody looks at them, so that none makes place for another.
    const looking: Follower[] = [];
    for (const id of ids.slice(0, 16)) looking.push(await chat.follow('olga', id));
    expect((await open(ids.slice(16))).map(({ status }) => status)).toEqual(ids.slice(16).map(() => 503));
    for (const follower of looking) follower.leave();
  }, 60_000);

  it('what waits for a running turn is bounded', async () => {
    play([{ when: { contains: 'wait' }, reply: { text: 'Slowly.', delayMs: 60_000 } }]);
    const session = await begin('olga');
    expect((await say('olga', session, 'wait')).status).toBe(202);
    expect((await say('olga', session, 'x'.repeat(150_000))).status).toBe(202);
    expect((await say('olga', session, 'x'.repeat(150_000))).status).toBe(409);
    const more = await Promise.all(Array.from({ length: 30 }, () => say('olga', session, 'and this')));
    expect(more.filter(({ status }) => status === 202)).toHaveLength(19);
    await chat.ask('olga', `/api/chat/${session}/stop`, {});
  });
});

it('shows no secret, in the middle of it, in the list and after a restart', async () => {
  play([{ when: { contains: 'key' }, reply: { text: `It is ${SECRET}.` } }]);
  const session = await begin('olga');
  const follower = await chat.follow('olga', session);
  await say('olga', session, `the key is ${SECRET}`);
  await follower.until(isOver);
  follower.leave();
  const told = async () => {
    const again = await chat.follow('olga', session);
    await again.until(isOver);
    again.leave();
    return JSON.stringify([again.items, again.status, await chat.ask('olga', '/api/chat')]);
  };
  const now = await told();
  await chat.restart();
  for (const text of [JSON.stringify([follower.items, follower.status]), now, await told()]) {
    expect(text).toContain('[secret:');
    expect(text).not.toContain(SECRET);
  }
});

it('keeps a rule that is told in a chat when an approver says yes', async () => {
  await chat.close();
  chat = await scriptedChat(undefined);
  const { memory } = await chat.host().memory();
  const rules = async () => (await memory.list(undefined, { kinds: ['governance_rule'], limit: 9 })).length;
  for (const [who, status, kept] of [
    ['olga', 403, 0],
    ['anna', 200, 1],
  ] as const) {
    const session = await begin(who);
    const follower = await chat.follow(who, session);
    await say(who, session, 'remember: restarts of ledger need approval');
    await follower.until(({ questions }) => questions.length > 0);
    const [question] = follower.questions;
    const answer = (body: object) =>
      chat.ask(who, `/api/chat/${session}/answers/${String(question?.['id'])}`, body);
    if (status === 403) expect((await answer({ text: 'yes' })).status).toBe(403);
    expect((await answer({ choice: 0 })).status).toBe(status);
    // To say no takes no role.
    if (status === 403) expect((await answer({ choice: 1 })).status).toBe(200);
    await follower.until(isOver);
    follower.leave();
    expect(await rules()).toBe(kept);
  }
}, 60_000);
