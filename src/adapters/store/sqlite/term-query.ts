import { SEARCH_FIELDS, type SearchField } from '#spec/ports';
import type { Connection } from './connection.ts';

/** What the full-text index is asked for: any of the terms. Empty where there is none. */
export const matchAny = (terms: readonly string[]): string => terms.map(quoted).join(' OR ');

/** A term as a string of the query language, in which nothing has a meaning. */
const quoted = (term: string): string => `"${term.replaceAll('"', '""').replaceAll('\0', ' ')}"`;

/** How the hits are ranked. */
export const weightedRank = (weights: Readonly<Record<SearchField, number>>): string =>
  `bm25(${SEARCH_FIELDS.map((field) => weights[field]).join(', ')})`;

/** Counting a term that so many entries have takes a while, and a few more or less of them do not matter. */
const COMMON = 100;
/** In an index as large as this every look at a term takes a while, and one more or less of them does not matter. */
const LARGE = 5_000;
/** How far the index may grow or shrink before terms are counted again. */
const DRIFT = 0.02;
const MOST_REMEMBERED = 50_000;

/**
 * In how many entries of `search` each term occurs, and how many entries `index_state` counts. For as long as the index
 * stays about as large, counts that need not be exact are remembered; that there is none never is.
 */
export function frequencyReader(
  connection: Connection,
): (terms: readonly string[]) => { readonly counts: readonly number[]; readonly total: number } {
  const count = connection.prepare<[string], number>('SELECT doc FROM search_terms WHERE term = ?').pluck();
  const size = connection.prepare<[], number>('SELECT entries FROM index_state').pluck();
  const remembered = new Map<string, number>();
  let countedAt = 0;
  const countOf = (term: string): number => {
    const known = remembered.get(term);
    if (known !== undefined) return known;
    const found = count.get(term) ?? 0;
    if (found >= (countedAt >= LARGE ? 1 : COMMON)) remembered.set(term, found);
    return found;
  };
  return (terms) => {
    const total = size.get() ?? 0;
    if (Math.abs(total - countedAt) > countedAt * DRIFT || remembered.size > MOST_REMEMBERED) {
      remembered.clear();
      countedAt = total;
    }
    return { counts: terms.map(countOf), total };
  };
}
