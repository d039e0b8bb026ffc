import { describe, expect, it } from 'vitest';
import {
  argumentsObject,
  argumentsText,
  at,
  countAt,
  dataUrl,
  isJsonObject,
  replayFor,
  textAt,
  textOf,
  callName,
} from './content.ts';
import { answered, modelInfo, PIXEL } from '#testkit/sample-messages';

describe('a call’s arguments', () => {
  it('stay byte for byte when they are an object', () => {
    const text = '{ "a" : 1,\n"b":"池" }';
    expect(argumentsText(text)).toBe(text);
    expect(argumentsObject(text)).toEqual({ a: 1, b: '池' });
  });

  it.each(['', '{}', '{"a":', 'null', '[1]', '"a"', '7', 'garbage'])(
    'become empty when they are %j',
    (text) => {
      expect(argumentsText(text)).toBe('{}');
      expect(argumentsObject(text)).toEqual({});
    },
  );

  it('are whole only as an object', () => {
    expect(['{}', ' {"a":[]} '].every(isJsonObject)).toBe(true);
    expect(['', '{', '{"a":1', '[]', 'null', '1', '{}{}'].some(isJsonObject)).toBe(false);
  });
});

describe('replayFor', () => {
  const home = modelInfo();
  const part = { replay: { signature: 's' } };

  it('gives back what the same endpoint wrote', () => {
    expect(replayFor(home, answered(home), part)).toEqual({ signature: 's' });
    expect(replayFor(home, answered(home), {})).toBeUndefined();
  });

  it.each([{ provider: 'other' }, { model: 'acme-2' }, { protocol: 'codex_responses' } as const])(
    'gives nothing to another one: %j',
    (change) => {
      expect(replayFor(modelInfo(change), answered(home), part)).toBeUndefined();
    },
  );
});

describe('reading frames', () => {
  const frame = { a: [{ b: 'text' }], n: 2.6, negative: -1, text: '3', none: null };

  it('follows a path and gives undefined where it ends early', () => {
    expect(at(frame, 'a', 0, 'b')).toBe('text');
    expect(at(frame)).toBe(frame);
    for (const path of [
      ['a', 1, 'b'],
      ['a', 'b'],
      ['none', 'x'],
      ['text', 0],
      ['x', 'y', 'z'],
    ]) {
      expect(at(frame, ...path)).toBeUndefined();
    }
    expect(at(undefined, 'a')).toBeUndefined();
  });

  it('takes only texts for texts', () => {
    expect(textAt(frame, 'text')).toBe('3');
    expect([textAt(frame, 'n'), textAt(frame, 'none'), textAt(frame, 'a')]).toEqual(['', '', '']);
  });

  it('takes only numbers from zero for counts, and rounds them', () => {
    expect(countAt(frame, 'n')).toBe(3);
    expect(countAt({ zero: 0 }, 'zero')).toBe(0);
    expect([countAt(frame, 'negative'), countAt(frame, 'text'), countAt(frame, 'x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(countAt({ nan: Number.NaN }, 'nan')).toBeUndefined();
  });
});

describe('parts', () => {
  it('give their texts, one a line', () => {
    expect(textOf([{ type: 'text', text: 'a' }, PIXEL, { type: 'text', text: 'b' }])).toBe('a\nb');
    expect(textOf([PIXEL])).toBe('');
  });

  it('give an image as a data URL', () => {
    expect(dataUrl(PIXEL)).toBe('data:image/png;base64,iVBORw0KGgo=');
  });
});

describe('callName', () => {
  it.each([
    ['read_file', 'read_file'],
    ['read file', 'read_file'],
    ['读.file', '__file'],
    ['', '_'],
  ])('makes %j acceptable to every vendor', (written, sent) => {
    expect(callName(written)).toBe(sent);
  });
});
