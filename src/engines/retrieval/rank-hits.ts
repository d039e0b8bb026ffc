import type { SearchHit } from '#spec/ports';
import type { QueryTerm } from './choose-terms.ts';
import { cutTerms } from './cut-terms.ts';
import { messageText } from './message-text.ts';

/** Shares of the score; chosen by measurement, see the README. */
const RANKING = {
  /** For a message that has all terms of the query itself. */
  coverage: 0.3,
  /** For two terms of the query that stand close together. */
  closeness: 0.12,
  /** For standing in the same session as a better hit. */
  session: 0.5,
  /** How many words may stand between close terms. */
  window: 4,
};

/** Texts are looked at up to here. */
const MOST_CHARS = 4_000;

export interface RankedHit extends SearchHit {
  /** The terms of the query that the message itself has, as one text. */
  readonly matched: string;
  /** How much of what the query tells those terms carry, from 0 to 1. */
  readonly coverage: number;
}

/** Orders the hits of the index by what the index cannot see: which terms come together, and in which session. */
export function rankHits(hits: readonly SearchHit[], query: readonly QueryTerm[]): RankedHit[] {
  const total = query.reduce((sum, { idf }) => sum + idf, 0) || 1;
  const scored = hits.map((hit): RankedHit => {
    const places = firstPlaces(messageText(hit.message.message).slice(0, MOST_CHARS));
    const own = query.filter(({ term }) => places.has(term));
    const coverage = own.reduce((sum, { idf }) => sum + idf, 0) / total;
    const score =
      hit.score * (1 + RANKING.coverage * coverage) + RANKING.closeness * closeness(query, places);
    return { ...hit, score, coverage, matched: own.map(({ term }) => term).join(' ') };
  });
  const best = new Map<string, number>();
  for (const { session, score } of scored) best.set(session, Math.max(score, best.get(session) ?? 0));
  return scored
    .map((hit) => ({ ...hit, score: hit.score + RANKING.session * (best.get(hit.session) ?? 0) }))
    .toSorted((a, b) => b.score - a.score);
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
    if (b > a && b - a <= RANKING.window) sum += Math.max(idf, following.idf);
  }
  return sum;
}
