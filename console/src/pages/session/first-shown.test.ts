import { expect, it } from 'vitest';
import { firstShown } from './first-shown.ts';

it('shows the end, and a hundred more with every wish', () => {
  expect(firstShown(350, undefined, 0)).toBe(250);
  expect(firstShown(350, undefined, 2)).toBe(50);
  expect(firstShown(350, undefined, 9)).toBe(0);
  expect(firstShown(12, undefined, 0)).toBe(0);
});

it('begins above what is looked for, and the first wish already shows more', () => {
  expect(firstShown(5_000, 300, 0)).toBe(295);
  expect(firstShown(5_000, 300, 1)).toBe(195);
  expect(firstShown(5_000, 4_990, 0)).toBe(4_900);
  expect(firstShown(5_000, 2, 0)).toBe(0);
});
