import { expect, it } from 'vitest';
import { isBack, wasBad } from './level.ts';

const levels = (usual: number, during: number, after: number) => ({ usual, during, after, spread: 1 });

it('is well within what is usual, or most of the way back', () => {
  expect(isBack(levels(100, 2_000, 110), 10)).toBe(true);
  expect(isBack(levels(100, 2_000, 200), 10)).toBe(true);
  expect(isBack(levels(100, 2_000, 600), 10)).toBe(false);
});

it('is well at up to half more than usual where it never was twice as much', () => {
  expect(wasBad(levels(87, 135, 123), 10)).toBe(true);
  expect(isBack(levels(87, 135, 123), 10)).toBe(true);
  expect(isBack(levels(87, 135, 133), 10)).toBe(false);
  expect(isBack(levels(87, 260, 148), 10)).toBe(false);
});
