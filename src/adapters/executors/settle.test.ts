import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import { type Found, settle } from './settle.ts';

const options = { settleMs: 1, deadlineMs: 500, pollMs: 1, signal: new AbortController().signal };
const answers = (...list: (Found | 'running')[]) => {
  let at = 0;
  return async () => list[Math.min(at++, list.length - 1)] as Found | 'running';
};
const notDone: Found = { found: 'not_done', detail: asText('') };
const done: Found = { found: 'done', detail: asText('') };

describe('settle', () => {
  it('does not believe the first "not done"', async () => {
    expect(await settle(answers(notDone, done), options)).toBe(done);
    expect(await settle(answers(notDone, 'running', notDone, done), options)).toBe(done);
    expect(await settle(answers(notDone, notDone, done), options)).toBe(notDone);
  });

  it('waits for what is running, and not for ever', async () => {
    expect(await settle(answers('running', 'running', done), options)).toBe(done);
    const found = await settle(answers('running'), { ...options, deadlineMs: 20 });
    expect(found).toEqual({ found: 'unknown', detail: { en: 'It is still running.', zh: '仍在运行。' } });
  });

  it('cannot tell what it cannot look at, and throws when it is stopped', async () => {
    const broken = () => Promise.reject(new Error('no connection'));
    expect(await settle(broken, options)).toEqual({ found: 'unknown', detail: asText('no connection') });
    await expect(settle(answers('running'), { ...options, signal: AbortSignal.abort() })).rejects.toThrow(
      'Stopped before',
    );
  });
});
