import { expect, it } from 'vitest';
import { isRecord } from './is-record.ts';

it('takes JSON objects for records, and nothing else', () => {
  for (const value of [{}, { a: 1 }, Object.create(null)]) expect(isRecord(value)).toBe(true);
  for (const value of [null, undefined, [], [{}], 'a', 1, true, () => ({})])
    expect(isRecord(value)).toBe(false);
});
