import { expect, it } from 'vitest';
import { mergePages } from './merge-pages.ts';

const at = (...times: number[]) => times.map((createdAt) => ({ id: `i${createdAt}`, createdAt }));
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id).join(' ');

it('takes the newest page for its time and the older ones below', () => {
  const { items, torn } = mergePages(at(12, 9, 8), at(10, 9, 8, 7, 6), 3);
  expect(ids(items)).toBe('i12 i9 i8 i7 i6');
  expect(torn).toBe(false);
});

it('believes a newest page that is not full alone', () => {
  expect(ids(mergePages(at(9), at(10, 9, 8), 3).items)).toBe('i9');
});

it('tells when the pages no longer meet', () => {
  expect(mergePages(at(30, 29, 28), at(10, 9, 8), 3).torn).toBe(true);
  expect(mergePages(at(30, 29, 28), [], 3).torn).toBe(false);
});
