import { describe, expect, it } from 'vitest';
import { cleanPaste, pasteFold } from './paste-fold.ts';

const words = { lines: (count: number) => `${count} lines`, chars: (count: number) => `${count} characters` };
const rows = (count: number, what = 'row') =>
  Array.from({ length: count }, (_, i) => `${what} ${i}`).join('\n');

describe('pasteFold', () => {
  it('folds more than eight lines and expands them again', () => {
    const fold = pasteFold(words);
    expect(fold.fold(rows(8))).toBe(rows(8));
    expect(fold.fold(rows(9))).toBe('[paste: 9 lines]');
    expect(fold.expand('see [paste: 9 lines], please')).toBe(`see ${rows(9)}, please`);
  });

  it('folds a very long line', () => {
    const fold = pasteFold(words);
    expect(fold.fold('x'.repeat(5_000))).toBe('[paste: 5000 characters]');
  });

  it('tells pastes of the same length apart', () => {
    const fold = pasteFold(words);
    const first = fold.fold(rows(20, 'a'));
    const second = fold.fold(rows(20, 'b'), first);
    expect(second).toBe('[paste 2: 20 lines]');
    expect(fold.expand(`${second} ${first}`)).toBe(`${rows(20, 'b')} ${rows(20, 'a')}`);
  });

  it('uses a mark again that is no longer there', () => {
    const fold = pasteFold(words);
    fold.fold(rows(20, 'a'));
    expect(fold.fold(rows(20, 'b'), 'nothing')).toBe('[paste: 20 lines]');
  });

  it('does not read dollar signs as references', () => {
    const fold = pasteFold(words);
    const text = `${rows(10)}\n$& $1 $$`;
    expect(fold.expand(fold.fold(text))).toBe(text);
  });

  it('knows the mark before the cursor, and forgets', () => {
    const fold = pasteFold(words);
    const mark = fold.fold(rows(20));
    expect(fold.markBefore(`see ${mark}`)).toBe(mark);
    expect(fold.markBefore(`${mark} x`)).toBeUndefined();
    fold.forget();
    expect(fold.expand(mark)).toBe(mark);
  });
});

describe('cleanPaste', () => {
  it('has one kind of line end and no controls', () => {
    expect(cleanPaste('a\r\nb\rc\td\u001b[1m\u0007')).toBe('a\nb\nc    d[1m');
  });
});
