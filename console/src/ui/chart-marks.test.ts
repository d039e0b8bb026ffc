import { expect, it } from 'vitest';
import { mergeWindows } from './chart-marks.ts';

it('makes one of spans that overlap', () => {
  const spans = [
    { start: 5, end: 9 },
    { start: 0, end: 2 },
    { start: 1, end: 3 },
    { start: 6, end: 7 },
  ];
  expect(mergeWindows(spans)).toEqual([
    { start: 0, end: 3 },
    { start: 5, end: 9 },
  ]);
});
