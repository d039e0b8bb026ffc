import { expect, it } from 'vitest';
import { findPlace, movePlace } from './keep-place.ts';

const keyOf = (item: string) => item;

it('follows a row when others come before it', () => {
  const place = { key: 'b', index: 1 };
  expect(findPlace(['a', 'b', 'c'], keyOf, place)).toBe(1);
  expect(findPlace(['new', 'a', 'b', 'c'], keyOf, place)).toBe(2);
  expect(findPlace(['a', 'c'], keyOf, place)).toBe(-1);
  expect(findPlace(['a'], keyOf, undefined)).toBe(-1);
});

it('moves from the row, or from where it was', () => {
  expect(movePlace(-1, undefined, 1, 3)).toBe(0);
  expect(movePlace(2, { key: 'b', index: 1 }, 1, 5)).toBe(3);
  // `b` has gone: what came after it stands in its place now.
  expect(movePlace(-1, { key: 'b', index: 1 }, 1, 5)).toBe(1);
  expect(movePlace(-1, { key: 'b', index: 1 }, -1, 5)).toBe(0);
  expect(movePlace(4, { key: 'e', index: 4 }, 1, 5)).toBe(4);
});
