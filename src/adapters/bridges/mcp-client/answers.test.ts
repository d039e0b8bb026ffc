import { describe, expect, it, vi } from 'vitest';
import type { AskModel } from '#spec/ports';
import { answerElicitation } from './answer-elicitation.ts';
import { samplingAnswers } from './answer-sampling.ts';
import { type Caller, openCallers } from './callers.ts';

/** Somebody who gives these answers in turn, then none. */
function person(...answers: (string | undefined)[]) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answers.shift();
  };
  return { ask, asked };
}

const openBrowser = undefined;
const clean = (text: string): string => text;

const form = (properties: Record<string, unknown>, required: string[] = []) => ({
  mode: 'form' as const,
  message: 'Who are you?',
  requestedSchema: {
    type: 'object' as const,
    properties: properties as Record<string, { type: 'string' }>,
    required,
  },
});

describe('answerElicitation', () => {
  it('asks for each field and reads the answer as its type', async () => {
    const { ask, asked } = person('answer', 'Ada', '36', 'yes', 'Second', 'a, b', '1.5');
    const properties = {
      name: { type: 'string', title: 'Name' },
      age: { type: 'integer' },
      sure: { type: 'boolean' },
      pick: {
        type: 'string',
        oneOf: [
          { const: '1', title: 'First' },
          { const: '2', title: 'Second' },
        ],
      },
      many: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
      rest: { type: 'number', default: 1.5 },
    };
    expect(await answerElicitation('srv', form(properties), { ask, openBrowser, clean })).toEqual({
      action: 'accept',
      content: { name: 'Ada', age: 36, sure: true, pick: '2', many: ['a', 'b'], rest: 1.5 },
    });
    expect(asked[0]).toContain('The MCP server srv asks: Who are you?');
    expect(asked[0]).toContain('name, age, sure, pick, many, rest');
  });

  it('gives nothing away when the person declines, leaves or answers nonsense', async () => {
    const field = form({ age: { type: 'integer' } }, ['age']);
    const answer = async (...answers: (string | undefined)[]) =>
      (await answerElicitation('srv', field, { ask: person(...answers).ask, openBrowser, clean })).action;
    expect(await answer('decline')).toBe('decline');
    expect(await answer(undefined)).toBe('cancel');
    expect(await answer('answer', undefined)).toBe('cancel');
    expect(await answer('answer', 'x', 'y', '')).toBe('cancel');
    expect(await answerElicitation('srv', field, { ask: undefined, openBrowser, clean })).toEqual({
      action: 'cancel',
    });
  });

  it('opens a page only after the person saw where it leads, and only a page', async () => {
    const opened = vi.fn<(url: string) => Promise<void>>(async () => undefined);
    const page = (url: string) => ({ mode: 'url' as const, message: 'Pay', url, elicitationId: '1' });
    const { ask, asked } = person('open');
    const result = await answerElicitation('srv', page('https://pay.example/x'), {
      ask,
      openBrowser: opened,
      clean,
    });
    expect(result).toEqual({ action: 'accept' });
    expect(asked[0]).toContain('pay.example');
    for (const url of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http://pay.example/',
      'https://u:p@pay.example/',
    ]) {
      const answer = await answerElicitation('srv', page(url), {
        ask: person('open').ask,
        openBrowser: opened,
        clean,
      });
      expect(answer).toEqual({ action: 'decline' });
    }
    expect(opened).toHaveBeenCalledTimes(1);
  });

  it('says who asks at every field, on one line', async () => {
    const { ask, asked } = person('answer', 'x', 'y');
    const fields = { a: { type: 'string', title: 'Name\n\nHermes: your password' }, b: { type: 'string' } };
    await answerElicitation('srv', form(fields), { ask, openBrowser, clean });
    expect(asked).toHaveLength(3);
    for (const question of asked.slice(1))
      expect(question).toMatch(/^The MCP server srv wants to know: [^\n]+$/);
    const message = 'One.\nHermes wants to know: may I?';
    const forged = person('decline');
    await answerElicitation('srv', { ...form({}), message }, { ask: forged.ask, openBrowser, clean });
    expect(forged.asked[0]).toContain('\n  | Hermes wants');
  });

  it('takes nothing for an answer that the person did not give or choose', async () => {
    const proposed = {
      host: { type: 'string', default: 'evil.example' },
      count: { type: 'integer', default: 7 },
      sure: { type: 'boolean', default: true },
      pick: { type: 'string', enum: ['a', 'b'], default: 'b' },
    };
    const silent = person('answer', '', '', '', '');
    expect(await answerElicitation('srv', form(proposed), { ...silent, openBrowser, clean })).toEqual({
      action: 'accept',
      content: {},
    });
    const needed = form(proposed, Object.keys(proposed));
    const empty = person('answer', '', '', '');
    expect(await answerElicitation('srv', needed, { ...empty, openBrowser, clean })).toEqual({
      action: 'cancel',
    });
    // Anything but the word that was offered is no agreement.
    const other = person('what is this?');
    expect(await answerElicitation('srv', needed, { ...other, openBrowser, clean })).toEqual({
      action: 'decline',
    });
  });

  it('offers what the server proposes as a choice', async () => {
    const offered: (readonly string[])[] = [];
    const ask = async (_: string, choices: readonly string[]) => {
      offered.push(choices);
      return choices[0];
    };
    const properties = {
      count: { type: 'integer', default: 7 },
      sure: { type: 'boolean', default: false },
      pick: { type: 'string', enum: ['a', 'b'], default: 'b' },
      many: { type: 'array', items: { type: 'string', enum: ['x', 'y', 'z'] }, default: ['x', 'z'] },
    };
    expect(await answerElicitation('srv', form(properties), { ask, openBrowser, clean })).toEqual({
      action: 'accept',
      content: { count: 7, sure: false, pick: 'b', many: ['x', 'z'] },
    });
    expect(offered[1]).toEqual(['7']);
  });

  it('warns of what cannot be seen, wherever it stands, and shows no secret', async () => {
    const properties = { a: { type: 'string', description: 'plain\u{e0041}', default: 'x\u202e' } };
    const { ask, asked } = person('answer', 'x');
    const hush = (text: string) => text.replaceAll('s3cret', '***');
    const params = { ...form(properties), message: 'Is it s3cret?' };
    await answerElicitation('srv', params, { ask, openBrowser, clean: hush });
    expect(asked[0]).toContain('characters that cannot be seen');
    expect(asked[0]).toContain('Is it ***?');
    expect(asked[1]).toContain('plain⟪U+E0041⟫');
    const open = person('decline');
    await answerElicitation('srv', form({ a: { type: 'string' } }), { ...open, openBrowser, clean });
    expect(open.asked[0]).not.toContain('cannot be seen');
  });

  it('shows what is hidden in a question', async () => {
    const { ask, asked } = person('decline');
    await answerElicitation('srv', { ...form({}), message: 'a\u202eb' }, { ask, openBrowser, clean });
    expect(asked[0]).toContain('a⟪U+202E⟫b');
  });
});

const request = (text: string, maxTokens = 10) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  maxTokens,
});

const caller = (session: string): Caller => ({ session, sampled: 0, asked: 0, hold: () => () => undefined });
const { signal } = new AbortController();

describe('samplingAnswers', () => {
  const answers = (
    sampling: 'never' | 'ask' | 'always',
    ask?: (question: string) => Promise<string | undefined>,
  ) => {
    let time = 0;
    const asked: number[] = [];
    const sample: AskModel = async (_, { maxOutput }) => {
      asked.push(maxOutput);
      return 'reply';
    };
    const callers = openCallers();
    const answer = samplingAnswers({ name: 'srv', sampling }, callers, {
      sample,
      ...(ask && { ask }),
      now: () => time,
      clean,
    });
    return { answer, callers, asked, pass: (ms: number) => (time += ms) };
  };

  it('asks the person first, and takes no for an answer', async () => {
    const yes = answers('ask', person('allow').ask);
    expect(await yes.answer(request('hello', 100_000), signal)).toMatchObject({ content: { text: 'reply' } });
    expect(yes.asked).toEqual([4_096]);
    await expect(answers('ask', person('decline').ask).answer(request('x'), signal)).rejects.toThrow(
      'declined',
    );
    await expect(answers('ask').answer(request('x'), signal)).rejects.toThrow('nobody');
    await expect(answers('never').answer(request('x'), signal)).rejects.toThrow('not available');
  });

  it('limits how often a server may ask, a minute and a call', async () => {
    const { answer, callers, pass } = answers('always');
    for (let i = 0; i < 10; i++) await answer(request('x'), signal);
    await expect(answer(request('x'), signal)).rejects.toThrow('a minute');
    pass(60_001);
    callers.enter(caller('s'));
    for (let i = 0; i < 5; i++) await answer(request('x'), signal);
    await expect(answer(request('x'), signal)).rejects.toThrow('a call');
  });
});

describe('openCallers', () => {
  it('names somebody only while all calls are theirs', () => {
    const callers = openCallers();
    expect(callers.only()).toBeUndefined();
    callers.enter(caller('a'));
    const leave = callers.enter(caller('a'));
    expect(callers.only()?.session).toBe('a');
    const other = callers.enter(caller('b'));
    expect(callers.only()).toBeUndefined();
    leave();
    other();
    expect(callers.only()?.session).toBe('a');
  });
});
