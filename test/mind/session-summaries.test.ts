import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Conversation } from '#app/conversation';
import { type Host, openHost } from '#host';
import type { Audience } from '#spec/data';
import { startModelServer } from '#testkit/model-server';
import { makeWorkplace, textOf, turn } from '../agent/workplace.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0))
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** A home with no model, opened as often as it is asked for, as by processes one after the other. */
async function bareHome() {
  const root = await mkdtemp(join(tmpdir(), 'hermes-summaries-'));
  folders.push(root);
  const cwd = join(root, 'project');
  await mkdir(cwd);
  const open = () =>
    openHost({
      env: { HERMES_HOME: join(root, 'home'), HOME: root, PATH: process.env.PATH },
      version: 'test',
    });
  const talk = (host: Host, audience?: Audience): Promise<Conversation> =>
    host.conversation({ cwd, language: 'en', platform: 'cli', ...(audience ? { audience } : {}) });
  return { root, open, talk };
}

const say = async (conversation: Conversation, text: string) => textOf(await turn(conversation, text));
const summaries = async (host: Host) =>
  (await host.memory()).memory.list(undefined, { kinds: ['session_summary'] });
const never = new AbortController().signal;

describe('with no model', () => {
  it('a conversation is told of in the next one, after /new, after a restart and after a crash', async () => {
    const { open, talk } = await bareHome();
    const first = await open();
    const conversation = await talk(first);
    await say(conversation, 'remember that staging runs on otter, incident INC-2041');
    const { id } = conversation.session;
    await conversation.command('/new', never);
    expect(await say(conversation, 'what did we do last time?')).toContain('staging runs on otter');
    expect(await say(conversation, '上次我们做了什么')).toContain('INC-2041');
    await first.close();

    // A process that was killed wrote no summary of what it led.
    const second = await open();
    const killed = await talk(second);
    await say(killed, '记住 payment-service 的值班电话在内网手册');
    const third = await open();
    const answer = await say(await talk(third), 'where did we leave off?');
    expect(answer).toContain('值班电话');
    expect(answer).toMatch(/的对话,1 条消息/);
    const kept = await summaries(third);
    expect(new Set(kept.map(({ key }) => key))).toEqual(
      new Set([`session/${id}`, `session/${killed.session.id}`]),
    );
    expect(kept).toHaveLength(2);
    await third.close();
    await second.close();
  });

  it('a conversation that is taken up again keeps one summary', async () => {
    const { open, talk } = await bareHome();
    const first = await open();
    const conversation = await talk(first);
    await say(conversation, 'remember that the first thing is otter');
    await first.close();
    const second = await open();
    const again = await second.conversation({
      cwd: process.cwd(),
      language: 'en',
      platform: 'cli',
      resume: conversation.session.id,
    });
    await say(again, 'remember that the second thing is badger');
    await second.close();
    const third = await open();
    const kept = await summaries(third);
    expect(kept).toHaveLength(1);
    expect(kept[0]?.text).toMatch(/otter[\s\S]*badger/);
    await third.close();
  });

  it('nothing crosses to another person at the same kind of place', async () => {
    const { open, talk } = await bareHome();
    const of = (user: string): Audience => ({ source: 'console', user, chat: 'console' });
    const host = await open();
    const ann = await talk(host, of('ann'));
    await say(ann, 'remember that my badge number is badger-77');
    await ann.command('/new', never);
    expect(await say(await talk(host, of('bob')), 'what did we do last time?')).not.toContain('badger');
    expect(await say(ann, 'what did we do last time?')).toContain('badger-77');
    await host.close();
    const [entry] = await (await open())
      .memory()
      .then(({ memory }) => memory.list(undefined, { kinds: ['session_summary'] }));
    expect(entry?.scope).toBe('person/console/ann');
  });

  it('none is written where it is switched off, or where writes wait for a yes', async () => {
    for (const setting of ['summaries: false', 'write_approval: true']) {
      const { root, open, talk } = await bareHome();
      await mkdir(join(root, 'home'));
      await appendFile(join(root, 'home', 'config.yaml'), `memory:\n  ${setting}\n`);
      const host = await open();
      await say(await talk(host), 'remember that staging runs on otter');
      await host.close();
      const later = await open();
      expect(await summaries(later)).toEqual([]);
      await later.close();
    }
  });
});

it('with a model, the auxiliary one writes it and the next conversation brings it along unseen', async () => {
  const server = await startModelServer({
    script: {
      models: [{ id: 'gpt-4o' }, { id: 'small' }],
      rules: [{ when: { model: 'small' }, reply: { text: 'The pool of payment-service was raised to 60.' } }],
      fallback: { text: 'Yes.' },
    },
  });
  const place = await makeWorkplace(server, 'chat_completions');
  await appendFile(join(place.home, 'config.yaml'), 'compression:\n  model: scripted/small\n');
  const host = await place.open();
  const conversation = await place.talk(host);
  for (const text of [
    'look at the pool of payment-service',
    'raise it to 60',
    'approval apr_cf07fe52023b is open',
  ])
    await turn(conversation, text);
  await host.close();
  const asked = server.requests.filter(({ body }) => body.model === 'small');
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(asked[0]?.body)).toContain('raise it to 60');

  const next = await place.open();
  const events = await turn(await place.talk(next), 'what did we do last time?');
  const sent = JSON.stringify(server.requests.at(-1)?.body);
  expect(sent).toContain('<memory-context>');
  expect(sent).toContain('was raised to 60');
  expect(sent).toContain('apr_cf07fe52023b');
  expect(JSON.stringify(events)).not.toContain('was raised to 60');
  await next.close();
  await place.remove();
  await server.close();
});
