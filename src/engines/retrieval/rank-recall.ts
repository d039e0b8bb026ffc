import type { Candidate, Recalled, RecallHits } from './candidate.ts';
import { fuse } from './fuse.ts';
import { newestFirst } from './newest-first.ts';
import { HRR_WEIGHT, RECALL_WEIGHTS, type RecallWeights } from './recall-weights.ts';
import { seedScores } from './seed-scores.ts';

/**
 * `measured` is what the benchmark chose; `hrr` adds the likeness of holographic vectors to it; `seed` weighs likeness,
 * age and use with 0.6, 0.3 and 0.1.
 */
export const SCORERS = ['measured', 'hrr', 'seed'] as const;
export type Scorer = (typeof SCORERS)[number];

export interface RankOptions {
  readonly scorer?: Scorer;
  /** Other weights than those that were measured; not for the `seed` scorer. */
  readonly weights?: RecallWeights;
  /** The moment from which the `seed` scorer counts ages. */
  readonly now: number;
  readonly limit: number;
}

/** How many hits of each way are looked at for each one that is wanted, and how many at least. */
const POOL_FACTOR = 5;
const LEAST_POOL = 60;

/** One order, best first, out of what the full-text index and the vectors found. */
export function rankRecall<T extends Candidate>(
  hits: RecallHits<T>,
  { scorer = 'measured', weights = RECALL_WEIGHTS, now, limit }: RankOptions,
): readonly Recalled<T>[] {
  if (scorer === 'seed') return seedScores(hits, now).slice(0, limit);
  const chosen = scorer === 'hrr' ? { ...weights, hrr: HRR_WEIGHT } : weights;
  const fused = fuse(hits, chosen);
  const before = new Map(fused.map(({ id, score }) => [id, score]));
  return newestFirst(fused, chosen.near)
    .slice(0, limit)
    .map((hit) => ({
      ...hit,
      shares: { ...hit.shares, newest: hit.score - (before.get(hit.id) ?? hit.score) },
    }));
}

/** How many hits the full-text index and the vectors should each be asked for, so that `limit` of them are the best. */
export const recallPool = (limit: number): number => Math.max(LEAST_POOL, limit * POOL_FACTOR);
