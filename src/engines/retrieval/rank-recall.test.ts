import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from './candidate.ts';
import { rankRecall, recallPool, SCORERS } from './rank-recall.ts';
import { RECALL_WEIGHTS } from './recall-weights.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const terms = [
  { term: 'pool', idf: 2, asked: true },
  { term: 'size', idf: 1, asked: true },
];

function candidate(id: string, text: string, more: Partial<Candidate> = {}): Candidate {
  return { id, group: id, at: 0, text, ...more };
}

const [both, one, other] = [
  candidate('both', 'the pool has a size of 40'),
  candidate('one', 'the pool is exhausted again'),
  candidate('other', 'connections ran out at noon'),
];
const options = { now: NOW, limit: 10 };
const ids = (...args: Parameters<typeof rankRecall>) => rankRecall(...args).map(({ id }) => id);

describe('rankRecall', () => {
  it('goes by the terms where there are no vectors', () => {
    const textHits = [
      { candidate: one, score: 2 },
      { candidate: both, score: 3 },
    ];
    expect(ids({ terms, textHits }, options)).toEqual(['both', 'one']);
    expect(rankRecall({ terms, textHits }, options)[0]).toMatchObject({
      matched: 'pool size',
      coverage: 1,
      parts: { text: 1, vector: 0, hrr: 0 },
    });
  });

  it('finds by vectors what shares no word with the query, each thing once', () => {
    const textHits = [{ candidate: one, score: 2 }];
    const vectorHits = [
      { candidate: other, similarity: 0.8 },
      { candidate: one, similarity: 0.3 },
    ];
    expect(ids({ terms, textHits, vectorHits }, options).toSorted()).toEqual(['one', 'other']);
    expect(ids({ terms: [], textHits: [], vectorHits }, options)).toEqual(['other', 'one']);
  });

  it('puts what both ways found before what one of them found', () => {
    const textHits = [one, both].map((found) => ({ candidate: found, score: 2 }));
    const vectorHits = [
      { candidate: both, similarity: 0.7 },
      { candidate: other, similarity: 0.2 },
    ];
    expect(ids({ terms, textHits, vectorHits }, options)[0]).toBe('both');
  });

  it.each(SCORERS)('%s tells which part gave how many points, and they add up', (scorer) => {
    const asks = candidate('asks', 'What is the pool size?', { group: 'talk', at: NOW - HOUR, accesses: 3 });
    const again = candidate('again', 'the pool has a size of 60', { group: 'talk', at: NOW });
    const textHits = [both, one, asks, again].map((found, at) => ({ candidate: found, score: 3 - at / 10 }));
    const vectorHits = [other, both].map((found, at) => ({ candidate: found, similarity: 0.8 - at / 10 }));
    for (const { score, shares } of rankRecall({ terms, textHits, vectorHits }, { ...options, scorer }))
      expect(Object.values(shares).reduce((sum, points) => sum + points, 0)).toBeCloseTo(score, 9);
    const [told] = rankRecall({ terms, textHits: [{ candidate: asks, score: 1 }] }, options);
    expect(told?.shares.terms).toBe(1);
    expect(told?.shares.asking).toBeLessThan(0);
    expect(told?.shares.group).toBeGreaterThan(0);
  });

  it('takes what asks for less than what tells', () => {
    const asks = candidate('asks', 'What is the pool size?');
    const textHits = [
      { candidate: asks, score: 3 },
      { candidate: both, score: 2.6 },
    ];
    expect(ids({ terms, textHits }, options)).toEqual(['both', 'asks']);
    const weights = { ...RECALL_WEIGHTS, asking: 0, length: 0 };
    expect(ids({ terms, textHits }, { ...options, weights })).toEqual(['asks', 'both']);
  });

  it('lifts what stands in one group with something better', () => {
    const beside = candidate('beside', 'the pool again', { group: 'talk' });
    const best = candidate('best', 'the pool has a size of 40', { group: 'talk' });
    const textHits = [
      { candidate: best, score: 4 },
      { candidate: one, score: 2 },
      { candidate: beside, score: 1.9 },
    ];
    expect(ids({ terms, textHits }, options)).toEqual(['best', 'beside', 'one']);
  });

  it('puts the newest of several versions first', () => {
    const versions = [1, 3, 2].map((at) => candidate(`v${at}`, `the pool has a size of ${at}`, { at }));
    const textHits = versions.map((found, at) => ({ candidate: found, score: 3 - at / 10 }));
    expect(ids({ terms, textHits }, options)).toEqual(['v3', 'v2', 'v1']);
  });

  it('can score as 0.6 likeness, 0.3 recency and 0.1 use', () => {
    const old = candidate('old', 'a', { at: NOW - 168 * HOUR, accesses: 5 });
    const [scored] = rankRecall(
      { terms, textHits: [], vectorHits: [{ candidate: old, similarity: 0.5 }] },
      { ...options, scorer: 'seed' },
    );
    expect(scored?.score).toBeCloseTo(0.6 * 0.5 + 0.3 * Math.exp(-1) + 0.1 * 0.5);
    const vectorHits = [
      { candidate: old, similarity: 0.5 },
      { candidate: candidate('new', 'b', { at: NOW }), similarity: 0.3 },
    ];
    expect(ids({ terms, textHits: [], vectorHits }, { ...options, scorer: 'seed' })).toEqual(['new', 'old']);
  });

  it('lets holograms speak where they are asked for', () => {
    const textHits = [{ candidate: both, score: 1 }];
    const parts = (scorer: 'hrr' | 'measured') =>
      rankRecall({ terms, textHits }, { ...options, scorer })[0]?.parts.hrr ?? Number.NaN;
    expect(parts('hrr')).toBeGreaterThan(0.3);
    expect(parts('measured')).toBe(0);
  });

  it('gives finite scores in falling order, whatever it gets', () => {
    const any = fc.record({
      id: fc.string(),
      text: fc.string(),
      score: fc.double({ min: 0, max: 1e6, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(any), fc.array(any), fc.constantFrom(...SCORERS), (texts, vectors, scorer) => {
        const textHits = texts.map(({ id, text, score }) => ({ candidate: candidate(id, text), score }));
        const vectorHits = vectors.map(({ id, text, score }) => ({
          candidate: candidate(id, text),
          similarity: score / 1e6,
        }));
        const scores = rankRecall({ terms, textHits, vectorHits }, { ...options, scorer }).map(
          ({ score }) => score,
        );
        expect(scores.every(Number.isFinite)).toBe(true);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
      { numRuns: 50 },
    );
  });

  it('looks at more hits than are wanted', () => {
    expect([recallPool(5), recallPool(50)]).toEqual([60, 250]);
  });
});
