import { describe, expect, it } from 'vitest';
import { readInstant } from './read-instant.ts';

describe('readInstant', () => {
  it.each([
    ['2026-08-01T10:00:00Z'],
    ['2026-08-01T10:00:00.000000000Z'],
    ['2026-08-01T18:00:00+08:00'],
    ['2026-08-01 18:00:00 +0800'],
    ['1785578400'],
    [1_785_578_400],
    [1_785_578_400_000],
  ])('reads %s', (value) => expect(readInstant(value, 'x')).toBe('2026-08-01T10:00:00.000Z'));

  it('takes the zero value of Go for none', () =>
    expect(readInstant('0001-01-01T00:00:00Z', 'x')).toBeUndefined());

  it.each(['', 'now', '2026-08-01T10:00:00', '2026-13-01T10:00:00Z', '01/08/2026', 'Infinity'])(
    'refuses %j',
    (value) => expect(() => readInstant(value, 'alerts[0].startsAt')).toThrow(/^alerts\[0\]\.startsAt/),
  );

  it('refuses a number that is no time', () => expect(() => readInstant(Number.NaN, 'x')).toThrow(/instant/));
});
