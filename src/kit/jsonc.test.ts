import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blankComments, jsonFault } from './jsonc.ts';

const read = (text: string): unknown => JSON.parse(blankComments(text));

it('takes comments and commas at the end', () => {
  const text = `{
  // the first
  "a": [1, 2, /* no 3 */ ], // more
  /* over
     lines */
  "b": {"c": 1,},
}`;
  expect(read(text)).toEqual({ a: [1, 2], b: { c: 1 } });
});

it('leaves strings alone', () => {
  const text = '{"url": "http://x/*y*/", "s": "a \\" // no, ]", "t": ",}", "u": "\\\\"}';
  expect(read(text)).toEqual({ url: 'http://x/*y*/', s: 'a " // no, ]', t: ',}', u: '\\' });
});

it('moves nothing', () => {
  const text = '{ // one\r\n  "a": 1, /* é */\r\n}';
  const blanked = blankComments(text);
  expect(blanked).toHaveLength(text.length);
  expect(blanked.indexOf('"a"')).toBe(text.indexOf('"a"'));
  expect(blanked.split('\n')).toHaveLength(text.split('\n').length);
});

it('leaves what is no JSON for the parser to find', () => {
  for (const text of ['{ /* without an end', '{"a": 1,,}', '{,}{', '{"a" // b\n "c"}', '{"a: 1}'])
    expect(() => read(text)).toThrow(SyntaxError);
});

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it('finds a fault exactly where the parser does find one', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '}', '"', ':', '[', 'x', '-', '\n', '1'),
      (json, at, mark) => {
        const place = at % (json.length + 1);
        const spoiled = json.slice(0, place) + mark + json.slice(place + (at % 2));
        expect(jsonFault(spoiled) === undefined).toBe(parses(spoiled));
        expect(jsonFault(json)).toBeUndefined();
      },
    ),
    { numRuns: 2_000 },
  );
});
