import type { Ranked, Scored } from './candidate.ts';
import type { QueryTerm } from './choose-terms.ts';
import { compareTerms } from './compare-terms.ts';
import { shareGroup } from './share-group.ts';

/** What messages get of the best score in their session. Chosen by measurement, see the README. */
const SESSION_SHARE = 0.5;

/** Orders the hits of an index by what it cannot see: which terms come together, and in which group. */
export function rankHits<T extends Scored>(hits: readonly T[], query: readonly QueryTerm[]): Ranked<T>[] {
  return shareGroup(
    hits.map((hit) => compareTerms(hit, hit.score, query).hit),
    SESSION_SHARE,
  );
}
