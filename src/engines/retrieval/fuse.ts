import { askingShare } from './asking-share.ts';
import type { Candidate, Recalled, RecallHits } from './candidate.ts';
import { compareTerms } from './compare-terms.ts';
import { hrrLikeness } from './hrr-likeness.ts';
import type { RecallWeights } from './recall-weights.ts';
import { relativeLikeness } from './relative-likeness.ts';
import { shareGroup } from './share-group.ts';

/**
 * One list out of two, best first. The score of the terms is taken relative to the best one, the cosine relative to the
 * range of those that were found: what the vectors did not find counts as their last. Without vectors the terms decide
 * alone. Beside that, a text that only asks counts less, one that has more to say counts more, and what stands in one
 * group with something better is better too.
 */
export function fuse<T extends Candidate>(
  { terms, textHits, vectorHits = [] }: RecallHits<T>,
  weights: RecallWeights,
): Recalled<T>[] {
  const found = new Map<string, { candidate: T; score: number; vector: number }>();
  for (const { candidate, score } of textHits) found.set(candidate.id, { candidate, score, vector: 0 });
  const relative = relativeLikeness(vectorHits.map(({ similarity }) => similarity));
  for (const { candidate, similarity } of vectorHits) {
    const score = found.get(candidate.id)?.score ?? 0;
    found.set(candidate.id, { candidate, score, vector: relative(similarity) });
  }
  const hologram = weights.hrr > 0 ? hrrLikeness(terms) : () => 0;
  const compared = [...found.values()].map(({ candidate, score, vector }) => {
    return { ...compareTerms(candidate, score, terms), vector, hrr: hologram(candidate) };
  });
  const best = Math.max(...compared.map(({ hit }) => hit.score), Number.MIN_VALUE);
  const scored = compared.map(({ hit, vector, hrr, terms: size }): Recalled<T> => {
    const text = hit.score / best;
    const shares = {
      terms: text,
      vectors: weights.vectors * vector,
      hrr: weights.hrr * hrr,
      length: weights.length * Math.log(1 + Math.min(size, weights.enough)),
      asking: -weights.asking * askingShare(hit.text),
    };
    return { ...hit, score: sumOf(shares), parts: { text, vector, hrr }, shares };
  });
  return shareGroup(scored, weights.group).map((hit) => ({
    ...hit,
    shares: { ...hit.shares, group: hit.score - sumOf(hit.shares) },
  }));
}

const sumOf = (shares: Recalled['shares']): number =>
  Object.values(shares).reduce((sum, points) => sum + points, 0);
