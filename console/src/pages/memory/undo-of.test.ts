import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { undoOf } from './undo-of.ts';

const idOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24);

it.each([
  ['an added one', ['a'], ['a', 'b'], { action: 'remove', entry: idOf('b') }],
  ['a removed one', ['a', 'b'], ['b'], { action: 'add', content: 'a' }],
  ['another text', ['a', 'b'], ['a', '改了'], { action: 'replace', entry: idOf('改了'), content: 'b' }],
])('takes back %s', async (_, before, after, expected) => {
  expect(await undoOf({ before, after, archived: [] })?.()).toEqual(expected);
});

it('takes nothing back where nothing changed, or others had to leave', () => {
  expect(undoOf({ before: ['a'], after: ['a'], archived: [] })).toBeUndefined();
  expect(undoOf({ before: ['a', 'b'], after: ['c'], archived: ['a', 'b'] })).toBeUndefined();
});
