import type { Candidate, Recalled, RecallHits } from './candidate.ts';
import { compareTerms } from './compare-terms.ts';

const SHARES = { likeness: 0.6, recency: 0.3, use: 0.1 };
const HOUR_MS = 3_600_000;
/** After this many hours the recency is down to 1/e. */
const FADE_HOURS = 168;
const OFTEN_USED = 10;

/**
 * 0.6 × likeness + 0.3 × exp(-hours / 168) + 0.1 × uses / 10, best first. Likeness is the cosine, and without vectors the
 * score of the terms relative to the best one.
 */
export function seedScores<T extends Candidate>(
  { terms, textHits, vectorHits = [] }: RecallHits<T>,
  now: number,
): Recalled<T>[] {
  const best = Math.max(...textHits.map(({ score }) => score), Number.MIN_VALUE);
  const alike = vectorHits.length
    ? vectorHits.map(({ candidate, similarity }) => ({ candidate, parts: partsOf(0, similarity) }))
    : textHits.map(({ candidate, score }) => ({ candidate, parts: partsOf(score / best, 0) }));
  return alike
    .map(({ candidate, parts }) => {
      const recency = Math.exp(-Math.max(0, now - candidate.at) / HOUR_MS / FADE_HOURS);
      const use = Math.min((candidate.accesses ?? 0) / OFTEN_USED, 1);
      const likeness = parts.text + parts.vector;
      const shares = {
        terms: SHARES.likeness * parts.text,
        vectors: SHARES.likeness * parts.vector,
        recency: SHARES.recency * recency,
        use: SHARES.use * use,
      };
      const score = SHARES.likeness * likeness + shares.recency + shares.use;
      return { ...compareTerms(candidate, 0, terms).hit, score, parts, shares };
    })
    .toSorted((a, b) => b.score - a.score);
}

const partsOf = (text: number, vector: number) => ({ text, vector, hrr: 0 });
