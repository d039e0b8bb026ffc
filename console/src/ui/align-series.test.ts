import { expect, it } from 'vitest';
import { alignSeries, seriesCsv } from './align-series.ts';

const one = { label: 'one', times: [0, 1, 2, 3], values: [1, 2, 3, 4] };
const other = { label: 'other, "b"', times: [0.5, 1.5, 2.5, 12.5], values: [5, 6, 7, 8] };

it('puts series on one axis, and tells a gap from a missing sample', () => {
  const [axis, first, second] = alignSeries([one, other]);
  expect(axis).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 7.5, 12.5]);
  expect(first).toEqual([1, undefined, 2, undefined, 3, undefined, 4, undefined, undefined]);
  expect(second).toEqual([undefined, 5, undefined, 6, undefined, 7, undefined, null, 8]);
});

it('writes values that a spreadsheet takes as they are', () => {
  const formula = { label: '=HYPERLINK("x")', times: [1], values: [2] };
  expect(seriesCsv([{ ...one, times: [1], values: [2] }, formula])).toBe(
    'time,one,"\'=HYPERLINK(""x"")"\n1970-01-01T00:00:01.000Z,2,2',
  );
});
