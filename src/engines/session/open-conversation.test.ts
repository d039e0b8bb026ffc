import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '#spec/ports';
import { lines, said, scriptedTalk } from '#support/engines/session/scripted-conversation';
import { openConversation } from './open-conversation.ts';

const history = async ({ talk }: Awaited<ReturnType<typeof scriptedTalk>>) =>
  lines((await talk.messages()).map(({ message }) => message));

describe('openConversation', () => {
  it('goes on where a stored one ended', async () => {
    const first = await scriptedTalk(['one']);
    await first.send('a');
    const again = await scriptedTalk(['two'], { stores: first.stores, resume: first.talk.session.id });
    expect(await history(again)).toEqual(['user a', 'assistant one']);
    await again.send('b');
    expect(lines(again.model.requests[0]?.messages ?? [])).toEqual(['user a', 'assistant one', 'user b']);
    expect(again.talk.total).toMatchObject({ usage: { input: 200 }, cost: 0.02 });
  });

  it('does not know an unknown id', async () => {
    const { deps } = await scriptedTalk([]);
    expect(await openConversation(deps, { resume: 'ses_none' })).toBeUndefined();
  });

  it('goes on without a word from what is there', async () => {
    const reminded: string[] = [];
    const talk = await scriptedTalk([[['todo', { todos: [] }]], 'one', 'two'], {
      remind: async (text) => {
        reminded.push(text);
        return 'a memory';
      },
    });
    await talk.send('a');
    const stream = talk.talk.send([], new AbortController().signal);
    expect(await stream.result()).toMatchObject({ status: 'done' });
    const spoken = (await history(talk)).map((line) => line.split(' ')[0]);
    expect(spoken).toEqual(['user', 'assistant', 'tool', 'assistant', 'assistant']);
    expect(reminded).toEqual(['a']);
  });

  it('takes what was steered into the turn, or leaves it over', async () => {
    const box: { steer?: (text: string) => void } = {};
    const tool = defineTool({
      name: 'slow',
      toolset: 'test',
      description: '',
      input: z.strictObject({}),
      effect: () => 0,
      run: async () => {
        box.steer?.('quickly');
        return { content: [], summary: '' };
      },
    });
    const talk = await scriptedTalk([[['slow', {}]], 'ok', 'ok'], { tools: [tool] });
    box.steer = (text) => talk.talk.steer(text);
    expect((await talk.send('go')).result.leftover).toEqual([]);
    expect((await history(talk)).join()).toContain('[The user adds] quickly');
    const stream = talk.talk.send(said('more'), new AbortController().signal);
    talk.talk.steer('too late');
    expect((await stream.result()).leftover).toEqual(['too late']);
  });

  it('offers tools that ask only where somebody can be asked', async () => {
    const alone = await scriptedTalk([]);
    await alone.send('hi');
    expect(alone.model.requests[0]?.tools.map(({ name }) => name)).not.toContain('clarify');
    const asked = await scriptedTalk([[['clarify', { question: 'which?', choices: ['a', 'b'] }]], 'ok']);
    asked.talk.onAsk(async (question, choices) => `${question} ${choices.join('/')}`);
    await asked.send('hi');
    expect((await history(asked))[2]).toBe('tool The user answers: which? a/b');
  });

  it('interrupts before anything was sent', async () => {
    const talk = await scriptedTalk([]);
    expect((await talk.send('hi', AbortSignal.abort())).result.status).toBe('aborted');
    expect(talk.model.requests).toEqual([]);
    expect(await history(talk)).toEqual(['user hi']);
  });
});

describe('/undo and /retry', () => {
  it('take the last turn back with everything in it', async () => {
    const talk = await scriptedTalk(['one', [['todo', {}]], 'two', 'three']);
    await talk.send('a');
    await talk.send('b');
    expect(await talk.command('/undo')).toMatchObject({ reload: true });
    expect(await history(talk)).toEqual(['user a', 'assistant one']);
    await talk.send('c');
    expect(lines(talk.model.requests.at(-1)?.messages ?? [])).toEqual(['user a', 'assistant one', 'user c']);
    expect(talk.stores.all(talk.talk.session.id).filter(({ state }) => state === 'undone')).toHaveLength(4);
  });

  it('end where there is nothing left', async () => {
    const talk = await scriptedTalk([]);
    expect((await talk.command('/undo')).text).toMatch(/nothing/i);
    await talk.send('a');
    await talk.command('/undo');
    expect(await talk.command('/undo')).toEqual({ text: 'There is nothing to take back.' });
    expect(await talk.command('/retry')).toEqual({ text: 'There is nothing to try again.' });
  });

  it('send what was said again as it was written', async () => {
    const talk = await scriptedTalk([]);
    await talk.send('read @notes.txt');
    expect(await talk.command('/retry')).toEqual({ text: '', reload: true, resend: said('read @notes.txt') });
  });

  it('leave a turn alone that has become part of a digest', async () => {
    const talk = await scriptedTalk([], { info: { protocol: 'local' } });
    for (let i = 0; i < 12; i++) await talk.send(`${i} ${'q'.repeat(1_500)}`);
    expect(await talk.command('/compress')).toMatchObject({
      reload: true,
      text: expect.stringMatching(
        /^Made room: .+, \d+ → \d+ tokens, \d+ archived\. \d+ messages became \d+\.$/,
      ) as unknown,
    });
    const messages = await talk.talk.messages();
    const protectedTurns = messages.slice(messages.findIndex(({ kind }) => kind === 'digest') + 1);
    for (let i = 0; i < 6; i++) await talk.command('/undo');
    expect(await talk.command('/undo')).toEqual({ text: 'There is nothing to take back.' });
    const left = await talk.talk.messages();
    expect(protectedTurns.length).toBeGreaterThan(0);
    expect(left.filter(({ kind }) => kind === 'digest')).toHaveLength(1);
    expect(left.slice(0, 3)).toEqual(messages.slice(0, 3));
  });
});
