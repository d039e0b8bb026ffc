import { expect, it } from 'vitest';
import { inLanguage } from './in-language.ts';

const record = {
  id: 'inc_1',
  note: { en: 'Nobody answered.', zh: '没有人答复。' },
  labels: { en: 'not', fr: 'a text' },
  rca: {
    missing: [{ en: 'logs', zh: '日志' }],
    hypotheses: [{ why: { en: 'so', zh: '如此' }, confidence: 1 }],
  },
};

it('says every sentence of a record in the language of the reader, and leaves the rest alone', () => {
  expect(inLanguage(record, 'zh')).toEqual({
    id: 'inc_1',
    note: '没有人答复。',
    labels: { en: 'not', fr: 'a text' },
    rca: { missing: ['日志'], hypotheses: [{ why: '如此', confidence: 1 }] },
  });
  expect(inLanguage(record, 'en')).toMatchObject({ note: 'Nobody answered.', rca: { missing: ['logs'] } });
  expect(inLanguage(undefined, 'en')).toBeUndefined();
});
