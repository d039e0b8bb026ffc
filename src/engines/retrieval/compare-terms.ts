import type { Candidate, Ranked } from './candidate.ts';
import type { QueryTerm } from './choose-terms.ts';
import { cutTerms } from './cut-terms.ts';

/** Shares of the score; chosen by measurement, see the README. */
const COMPARISON = {
  /** For a text that has all terms of the query itself. */
  coverage: 0.3,
  /** For two terms of the query that stand close together. */
  closeness: 0.12,
  /** How many words may stand between close terms. */
  window: 4,
};

/** Texts are looked at up to here. */
const MOST_CHARS = 4_000;

/**
 * Adds to the score of an index what it cannot see: how many of the query's terms come together, and how closely.
 * `terms` tells how many different terms the text has.
 */
export function compareTerms<T extends Candidate>(
  candidate: T,
  score: number,
  query: readonly QueryTerm[],
): { readonly hit: Ranked<T>; readonly terms: number } {
  const total = query.reduce((sum, { idf }) => sum + idf, 0) || 1;
  const places = firstPlaces(candidate.text.slice(0, MOST_CHARS));
  const own = query.filter(({ term }) => places.has(term));
  const coverage = own.reduce((sum, { idf }) => sum + idf, 0) / total;
  const compared =
    score * (1 + COMPARISON.coverage * coverage) + COMPARISON.closeness * closeness(query, places);
  const matched = own.map(({ term }) => term).join(' ');
  return { hit: { ...candidate, score: compared, coverage, matched }, terms: places.size };
}

function firstPlaces(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [at, term] of cutTerms(text).entries()) if (!places.has(term)) places.set(term, at);
  return places;
}

/** What neighbouring terms of the query tell that also stand close to each other in the text, in the same order. */
function closeness(query: readonly QueryTerm[], places: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [at, { term, idf }] of query.entries()) {
    const following = query[at + 1];
    const [a, b] = [places.get(term), following && places.get(following.term)];
    if (!following || a === undefined || b === undefined) continue;
    if (b > a && b - a <= COMPARISON.window) sum += Math.max(idf, following.idf);
  }
  return sum;
}
