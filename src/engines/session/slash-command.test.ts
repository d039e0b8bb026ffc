import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import { script, scriptedTalk } from '#support/engines/session/scripted-conversation';

const files = readdirSync(new URL('./commands', import.meta.url)).filter(
  (name) => !name.endsWith('.test.ts'),
);

describe('slash commands', () => {
  it('are the files of their folder, each with a summary in both languages', async () => {
    const english = await scriptedTalk([]);
    const chinese = await scriptedTalk([], { language: 'zh' });
    expect(english.talk.commands.map(({ name }) => `${name.slice(1)}.ts`).toSorted()).toEqual(
      files.toSorted(),
    );
    for (const [i, { summary }] of english.talk.commands.entries()) {
      expect(summary).toMatch(/^[a-z].*[^.]$/);
      expect(chinese.talk.commands[i]?.summary).toMatch(/\p{Script=Han}/u);
    }
  });

  it('are found by their other names, in any case and with arguments', async () => {
    const { command, talk } = await scriptedTalk([]);
    expect(await command('/EXIT')).toMatchObject({ leave: true });
    expect(await command('  /title   a new   title ')).toEqual({ text: 'a new   title' });
    expect(talk.session.title).toBe('a new   title');
  });

  it('are guessed at when they are misspelt', async () => {
    const { command } = await scriptedTalk([]);
    expect((await command('/udno')).text).toMatch(/no command `\/udno`.*mean `\/undo`/);
    expect((await command('/xyzzyx')).text).toBe('There is no command `/xyzzyx`.  `/help`');
    expect((await (await scriptedTalk([], { language: 'zh' })).command('/udno')).text).toContain(
      '是否想输入',
    );
  });

  it('help lists every one of them', async () => {
    const { command, talk } = await scriptedTalk([]);
    const { text } = await command('/help');
    for (const { name, summary } of talk.commands)
      expect(text).toMatch(new RegExp(`\`${name}[^\`]*\` ${summary}`));
  });

  it('title shows, sets and keeps, cut to a hundred characters', async () => {
    const { command, talk, stores, send } = await scriptedTalk([]);
    expect(await command('/title')).toEqual({ text: '(no title yet)' });
    await send('first words');
    expect(await command('/title')).toEqual({ text: 'first words' });
    await command(`/title ${'x'.repeat(300)}`);
    expect(stores.rows.get(talk.session.id)?.session.title).toBe('x'.repeat(100));
  });

  it('new leaves the old session in the store', async () => {
    const { command, talk, stores, send } = await scriptedTalk([]);
    await send('a');
    const before = talk.session.id;
    expect(await command('/reset')).toMatchObject({
      reload: true,
      text: expect.stringContaining(before) as string,
    });
    expect(await talk.messages()).toEqual([]);
    await send('b');
    expect([...stores.rows.keys()]).toEqual([before, talk.session.id]);
  });

  it('fork goes on in a copy', async () => {
    const { command, talk, send, stores } = await scriptedTalk([]);
    await send('a');
    const before = talk.session.id;
    await command('/branch');
    await send('b');
    expect(talk.session).toMatchObject({ parent: { id: before, seq: 2 }, title: 'a (fork)', messages: 4 });
    expect(stores.all(before)).toHaveLength(2);
  });

  it('fork before anything was said is the same conversation', async () => {
    const { command, talk, send } = await scriptedTalk([]);
    const before = talk.session.id;
    await command('/fork');
    await send('a');
    expect(talk.session).toMatchObject({ id: before, title: 'a' });
    expect(talk.session.parent).toBeUndefined();
  });

  it('resume goes on in a stored session, and stays when there is none', async () => {
    const { command, talk, send } = await scriptedTalk([]);
    await send('first');
    const first = talk.session.id;
    await command('/new');
    expect((await command('/resume ses_none')).text).toMatch(/no such conversation/);
    expect(talk.session.id).not.toBe(first);
    expect(await command(`/resume ${first}`)).toEqual({ text: 'first', reload: true });
    expect(talk.session.id).toBe(first);
    expect(await talk.messages()).toHaveLength(2);
  });

  it('model shows and changes who answers, and keeps the old one when the new one is unknown', async () => {
    const other = script(['from the other']);
    const talk = await scriptedTalk([], {
      modelFor: async (_, override) => {
        if (override === 'bad/one') throw fail('model.unconfigured', 'no such model');
        return other;
      },
    });
    expect(await talk.command('/model')).toEqual({ text: 'script/script-1 answers.' });
    await expect(talk.command('/model bad/one')).rejects.toThrow('no such model');
    expect(talk.talk.model).toBe('script/script-1');
    expect(await talk.command('/model big/one')).toEqual({ text: 'big/one answers.' });
    expect(talk.talk.model).toBe('big/one');
  });

  it('usage and context tell what was spent and what fills the window', async () => {
    const { command, send } = await scriptedTalk([[['todo', {}]], 'ok']);
    expect((await command('/context')).text).toContain('Nothing has been sent yet.');
    await send('hi');
    const usage = (await command('/usage')).text;
    expect(usage).toContain('| read, fresh | 200 |');
    expect(usage).toContain('| read, cached | 100 (33 %) |');
    expect(usage).toContain('| cost | $0.0200 |');
    const context = (await command('/context')).text;
    for (const name of ['system prompt', 'tools', 'user', 'assistant', 'tool results'])
      expect(context).toMatch(new RegExp(`\\| ${name} \\| [\\d,]+ \\|`));
    expect(context).toContain('The last request filled 150 of 20,000 (1 %)');
  });

  it('compress says when there is nothing to shorten', async () => {
    const { command, send, talk } = await scriptedTalk([], { info: { protocol: 'local' } });
    await send('hi');
    expect(await command('/compress')).toEqual({ text: 'There is nothing worth shortening.' });
    for (let i = 0; i < 12; i++) await send(`${i} ${'q'.repeat(1_500)}`);
    const before = (await talk.messages()).length;
    const done = await command('/compact');
    expect(done).toMatchObject({
      text: `Made room: older messages were digested, 5291 → 3058 tokens, 13 archived. ${before} messages became ${(await talk.messages()).length}.`,
      reload: true,
    });
  });
});
