import { describe, expect, it } from 'vitest';
import { likelyLower, worseThan } from './compare-versions.ts';

const tally = (uses: number, successes: number, calls = 5) => ({ uses, successes, calls, tokens: 0 });

describe('likelyLower', () => {
  it('is even for the same counts, and sums to one', () => {
    expect(likelyLower(tally(4, 2), tally(4, 2))).toBeCloseTo(0.5, 6);
    expect(likelyLower(tally(3, 0), tally(9, 8)) + likelyLower(tally(9, 8), tally(3, 0))).toBeCloseTo(1, 6);
  });
  it('knows a case that can be computed by hand', () => {
    // P(X < Y) for X ~ Beta(1, 2), Y ~ Beta(2, 1): the integral of 2y (2y - y²) over 0..1.
    expect(likelyLower(tally(1, 0), tally(1, 1))).toBeCloseTo(4 / 3 - 1 / 2, 6);
  });
});

describe('worseThan', () => {
  it('waits for enough uses', () => expect(worseThan(tally(2, 0), tally(5, 5), 3)).toBeUndefined());
  it('sees failures', () => expect(worseThan(tally(3, 0), tally(5, 5), 3)).toMatch(/0 of 3/));
  it('does not mind one failure', () => expect(worseThan(tally(4, 3), tally(5, 5), 3)).toBeUndefined());
  it('sees a higher cost', () => expect(worseThan(tally(3, 3, 12), tally(4, 4, 5), 3)).toMatch(/12.0 calls/));
});
