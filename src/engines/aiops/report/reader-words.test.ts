import { expect, it } from 'vitest';
import { actionFor, summaryFor, whyFor } from './reader-words.ts';

it('says what a record has in the language of the reader, and else what it has', () => {
  const evidence = { summary: 'errors of web rose', said: { zh: 'web 的错误上升' } };
  expect([summaryFor(evidence, 'zh'), summaryFor(evidence, 'en')]).toEqual([
    'web 的错误上升',
    'errors of web rose',
  ]);
  expect(summaryFor({ summary: 'of an old record' }, 'zh')).toBe('of an old record');
  expect(whyFor({ why: 'so', said: { zh: '如此' } }, 'zh')).toBe('如此');
});

it('knows in which language an action was written: that of the home', () => {
  const action = { reason: '重启', dryRunOnly: '不允许', said: { en: { reason: 'Restart' } } };
  expect(actionFor(action, 'zh')).toMatchObject({ reason: '重启', dryRunOnly: '不允许' });
  expect(actionFor(action, 'en')).toEqual({ reason: 'Restart' });
  expect(actionFor({ reason: 'Restart' }, 'zh')).toMatchObject({ reason: 'Restart' });
});
