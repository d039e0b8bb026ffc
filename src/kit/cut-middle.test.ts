import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMiddle } from './cut-middle.ts';

describe('cutMiddle', () => {
  it('leaves a text alone that fits', () => {
    expect(cutMiddle('short', 5)).toBe('short');
  });

  it('keeps more of the end than of the start and says what is gone', () => {
    const cut = cutMiddle(`${'a'.repeat(5_000)}${'b'.repeat(5_000)}`, 1_000);
    const [, head = '', note = '', tail = ''] =
      /^(a+)\n\[… ([\d,]+) characters left out …\]\n(b+)$/.exec(cut) ?? [];
    expect(cut.length).toBeGreaterThan(990);
    expect(cut.length).toBeLessThanOrEqual(1_000);
    expect(Number(note.replace(',', ''))).toBe(10_000 - head.length - tail.length);
    expect(tail.length / head.length).toBeCloseTo(1.5, 1);
  });

  it('is never longer than the limit and never tears a character apart', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '中', '🐟', '\n'), maxLength: 400 });
    fc.assert(
      fc.property(text, fc.nat({ max: 300 }), (whole, limit) => {
        const cut = cutMiddle(whole, limit);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut.isWellFormed()).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
