import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatPath, parsePath } from './config-path.ts';

it('reads keys, positions and names in brackets', () => {
  expect(parsePath('llm.fallback[0].model')).toEqual(['llm', 'fallback', 0, 'model']);
  expect(parsePath('prices["gpt-4.1"].input')).toEqual(['prices', 'gpt-4.1', 'input']);
  for (const bad of ['llm..model', '.', 'llm.', 'a[', 'a[x]', 'a]b', 'a["x'])
    expect(() => parsePath(bad)).toThrow('is not a key');
});

it('reads back what it writes', () => {
  const segment = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.nat({ max: 99 }),
    fc.constantFrom('a.b', '"', '\\', '[0]'),
  );
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 5 }), (path) => {
      expect(parsePath(formatPath(path))).toEqual(path);
    }),
  );
});
