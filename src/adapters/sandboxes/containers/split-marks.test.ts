import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Mark, splitMarks } from './split-marks.ts';

const TOKEN = 'abc123';

function split(pieces: readonly string[]): { text: string; marks: Mark[] } {
  const marks: Mark[] = [];
  const splitter = splitMarks(TOKEN, (mark) => marks.push(mark));
  const text = pieces.map((piece) => splitter.take(piece)).join('');
  return { text: text + splitter.rest(), marks };
}

describe('splitMarks', () => {
  it('takes out its own marks with their line end, and nothing else', () => {
    const { text, marks } = split(['a\x1eabc123 cwd /x y\x1e\nb\x1eother cwd /z\x1e\n\x1e']);
    expect(text).toBe('ab\x1eother cwd /z\x1e\n\x1e');
    expect(marks).toEqual([{ word: 'cwd', rest: '/x y' }]);
  });

  it('does so wherever the pieces are cut', () => {
    const whole =
      'one\x1eabc123 start 7\x1e\ntwo\x1eabc12\x1eabc123 end\x1e\n\nthree\x1eabc123 cwd /a\nb\x1e\n';
    const cuts = fc.array(fc.nat({ max: whole.length }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (places) => {
        const at = [0, ...places.toSorted((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end));
        const { text, marks } = split(pieces);
        expect(text).toBe('onetwo\x1eabc12\nthree');
        expect(marks.map(({ word, rest }) => `${word} ${rest}`)).toEqual(['start 7', 'end ', 'cwd /a\nb']);
      }),
    );
  });
});
