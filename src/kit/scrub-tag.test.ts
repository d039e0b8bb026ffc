import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrubTag, tagScrubber } from './scrub-tag.ts';

/** Pushes a text in pieces, cut at the places given. */
function inPieces(text: string, cuts: readonly number[]): string {
  const { push, end } = tagScrubber('note');
  const edges = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length];
  return (
    edges
      .slice(1)
      .map((edge, i) => push(text.slice(edges[i], edge)))
      .join('') + end()
  );
}

describe('scrubTag', () => {
  it.each([
    ['plain', 'plain'],
    ['a<note>b</note>c', 'ac'],
    ['<note></note>', ''],
    ['a<note>b</note>c<note>d</note>e', 'ace'],
    ['a<note>never closed', 'a'],
    ['a</note>b', 'a</note>b'],
    ['a<notes>b', 'a<notes>b'],
    ['a<not', 'a<not'],
    ['<<note>x</note>', '<'],
    ['<note>a<note>b</note>c', 'c'],
    ['<note>a</not</note>c', 'c'],
  ])('makes %j %j', (text, clean) => {
    expect(scrubTag(text, 'note')).toBe(clean);
  });

  it('gives the same however the text is cut', () => {
    const piece = fc.constantFrom('<', '>', '/', '<note>', '</note>', '<no', 'te>', 'x', '🐟', '\n');
    fc.assert(
      fc.property(fc.string({ unit: piece }), fc.array(fc.nat({ max: 100 })), (text, cuts) => {
        expect(inPieces(text, cuts)).toBe(scrubTag(text, 'note'));
      }),
      { numRuns: 2_000 },
    );
  });

  it('holds back no more than what may become the tag', () => {
    const { push } = tagScrubber('note');
    expect(push('hello <no')).toBe('hello ');
    expect(push('w')).toBe('<now');
    expect(push('a < b')).toBe('a < b');
  });

  it('takes any number of tags in linear time', () => {
    expect(scrubTag('<note>x</note>y'.repeat(50_000), 'note')).toBe('y'.repeat(50_000));
  });
});
