import { describe, expect, it } from 'vitest';
import { calibrated } from '#engines/aiops';
import { isotonic } from './isotonic.ts';

/** So many cases, evenly spread over what was said, of which the share that `truth` tells came true. */
const cases = (count: number, truth: (said: number) => number) =>
  Array.from({ length: count }, (_, at) => {
    const said = (at + 0.5) / count;
    // The golden ratio spreads its multiples evenly.
    return { said, right: (at * 0.618034) % 1 < truth(said) };
  });

describe('isotonic', () => {
  it('rises, from nothing to the end', () => {
    const pairs = isotonic(cases(400, (said) => said * said));
    expect(pairs[0]).toEqual([0, 0]);
    expect(pairs.at(-1)?.[0]).toBe(1);
    for (const [at, [said, right]] of pairs.entries()) {
      expect(said).toBeGreaterThanOrEqual(pairs[at - 1]?.[0] ?? 0);
      expect(right).toBeGreaterThanOrEqual(pairs[at - 1]?.[1] ?? 0);
    }
  });

  it('draws one line where so many cases tell no bend', () => {
    expect(isotonic(cases(400, (said) => said)).length).toBeLessThanOrEqual(3);
  });

  it.each([
    ['a root', (said: number) => Math.sqrt(said)],
    ['a ceiling', (said: number) => Math.min(0.8, 2 * said)],
    ['a step', (said: number) => (said < 0.5 ? 0.1 : 0.9)],
  ])('bends where %s does, and tells what came true', (_what, truth) => {
    const pairs = isotonic(cases(1000, truth));
    expect(pairs.length).toBeGreaterThan(2);
    expect(pairs.length).toBeLessThanOrEqual(7);
    const off = cases(1000, truth).map(({ said }) =>
      Math.abs(calibrated(said, { calibration: pairs }) - truth(said)),
    );
    expect(off.reduce((sum, one) => sum + one, 0) / off.length).toBeLessThan(0.05);
  });
});
