import { describe, expect, it } from 'vitest';
import { type DiffPiece, diffWords } from './diff-words.ts';

const told = (pieces: readonly DiffPiece[]) =>
  pieces
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `{+${text}}` : `{-${text}}`))
    .join('');

describe('diffWords', () => {
  it.each([
    ['pool.max is 20', 'pool.max is 40', 'pool.max is {-20}{+40}'],
    ['', 'new', '{+new}'],
    ['gone', '', '{-gone}'],
    ['same', 'same', 'same'],
    ['我们周二发布', '我们周四发布', '我们周{-二}{+四}发布'],
    [
      'we deploy on Tuesdays',
      'we deploy on Tuesdays and Thursdays',
      'we deploy on Tuesdays{+ and Thursdays}',
    ],
    ['a a b', 'a b b', 'a {-a}{+b} b'],
  ])('%j → %j', (before, after, expected) => {
    expect(told(diffWords(before, after))).toBe(expected);
  });

  it('always holds both texts', () => {
    const words = ['the', 'pool', 'is', 'full', '20', '.'];
    for (let seed = 1; seed < 200; seed++) {
      const text = (start: number) =>
        Array.from(
          { length: (seed * start) % 9 },
          (_, at) => words[(seed * (at + start)) % words.length],
        ).join(' ');
      const [before, after] = [text(3), text(7)];
      const pieces = diffWords(before, after);
      const without = (kind: DiffPiece['kind']) =>
        pieces.map((piece) => (piece.kind === kind ? '' : piece.text)).join('');
      expect(without('added')).toBe(before);
      expect(without('removed')).toBe(after);
    }
  });

  it('does not try to mix very long texts', () => {
    const long = (word: string) => Array.from({ length: 3_000 }, (_, at) => `${word}${at}`).join(' ');
    expect(diffWords(long('a'), long('b'))).toHaveLength(2);
  });
});
