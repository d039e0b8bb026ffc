import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANN } from '#support/engines/gate/gate-stage';
import { canonicalJson, requestDigest } from './digest.ts';

describe('canonicalJson', () => {
  it('gives the same text for the same value, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('keeps apart what differs', () => {
    const values = [
      null,
      'null',
      0,
      '0',
      false,
      '',
      [],
      {},
      [[]],
      [null],
      [0],
      ['a', 'b'],
      ['a,b'],
      { a: 1 },
      { a: '1' },
      { 'a":1,"b': 2 },
      { a: 1, b: 2 },
      { a: { b: 2 } },
      '\ud800',
      '\ufffd',
      'é',
      'e\u0301',
    ];
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
  });

  it('takes an undefined field for none', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([
    ['undefined', undefined],
    ['NaN', { n: Number.NaN }],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a function', { f: () => 1 }],
    ['a bigint', 1n],
    ['a symbol', Symbol('x')],
    ['a date', new Date(0)],
    ['a map', new Map([[1, 2]])],
    ['bytes', new Uint8Array(2)],
    ['a hole', [undefined]],
    ['an object of a class', new URL('http://a')],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('refuses a circle, and takes the same thing twice', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => canonicalJson(circle)).toThrow(TypeError);
    const twice = { a: 1 };
    expect(canonicalJson([twice, twice])).toBe('[{"a":1},{"a":1}]');
  });
});

describe('requestDigest', () => {
  it('covers everything but what is shown', () => {
    const action = { tool: 't', level: 1 as const, input: { a: 1 }, shown: 'x' };
    expect(requestDigest({ ...action, shown: 'y' }, ANN)).toBe(requestDigest(action, ANN));
    for (const other of [
      { ...action, tool: 'u' },
      { ...action, level: 2 as const },
      { ...action, input: { a: 2 } },
      { ...action, writes: ['x'] },
      { ...action, sendsTo: ['x'] },
      { ...action, code: { language: 'js', text: '' } },
    ]) {
      expect(requestDigest(other, ANN)).not.toBe(requestDigest(action, ANN));
    }
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, inner] of Object.entries(value).toReversed()) out[key] = reversed(inner);
  return out;
}
