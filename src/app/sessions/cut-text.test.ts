import { expect, it } from 'vitest';
import { cutStrings, cutText } from './cut-text.ts';

const SECRET = 'hunter2-hunter2-hunter2';

it('leaves a short text as it is, but for credentials', () => {
  expect(cutText(`the key is ${SECRET}.`, 100, [SECRET])).toEqual({ text: 'the key is [secret:known].' });
});

it('says how much it left out', () => {
  expect(cutText('x'.repeat(150), 100, [])).toEqual({ text: 'x'.repeat(100), more: 50 });
});

it('never shows a part of a secret that the cut goes through', () => {
  for (let before = 80; before <= 110; before++) {
    const { text } = cutText(`${'x'.repeat(before)}${SECRET}${'y'.repeat(9_000)}`, 100, [SECRET]);
    expect(text).not.toContain('hunter');
  }
  // Where much is taken out before it, what was cut off comes nearer.
  const { text } = cutText(`${SECRET} `.repeat(600), 1_000, [SECRET]);
  expect(text).not.toContain('hunter');
  expect(text.length).toBeLessThanOrEqual(1_000);
});

it('goes into every string of a value', () => {
  const cut = cutStrings({ a: [`b ${SECRET}`], n: 5, long: 'z'.repeat(30) }, 20, [SECRET]);
  expect(cut).toEqual({ a: ['b [secret:known]'], n: 5, long: `${'z'.repeat(20)}… (+10)` });
});
