import { expect, it } from 'vitest';
import { askingShare } from './asking-share.ts';

it.each([
  ['The pool is exhausted.', 0],
  ['What is the size of the pool?', 1],
  ['连接池多大?', 1],
  ['连接池是 40。够吗?', 3 / 11],
  ['Fine. What about you? ', 17 / 22],
  ['no mark at all', 0],
  ['', 0],
  ['???', 0],
])('%j asks to the share %d', (text, share) => {
  expect(askingShare(text)).toBeCloseTo(share, 1);
});

it('grows with what is asked', () => {
  const shares = ['It is 40.', 'It is 40. Is that enough?', 'Is that enough?'].map(askingShare);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(new Set(shares).size).toBe(3);
});
