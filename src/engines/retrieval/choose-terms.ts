import type { SearchIndex } from '#spec/ports';
import { cutTerms } from './cut-terms.ts';
import { isStopTerm } from './stop-words.ts';

/** A term of a query that tells something. */
export interface QueryTerm {
  readonly term: string;
  /** How much it tells: the rarer, the more. */
  readonly idf: number;
  /** Whether the index is asked for it, or the hits are only compared by it. */
  readonly asked: boolean;
}

/** A term that more entries have than this says next to nothing about any of them. */
const COMMON_SHARE = 0.5;
/** How many entries the index may have to weigh for one query, as far as the rarest term leaves a choice. */
const MOST_ENTRIES = 2_000;
const MOST_TERMS = 32;
const MOST_CHARS = 10_000;

/** The terms of a query that tell something, in the order in which they stand in it. Stop words are not indexed. */
export async function chooseTerms(
  query: string,
  index: Pick<SearchIndex, 'frequencies'>,
): Promise<readonly QueryTerm[]> {
  const all = new Set(cutTerms(query.slice(0, MOST_CHARS)));
  const terms = [...all].filter((term) => !isStopTerm(term));
  if (terms.length === 0) return [];
  const { counts, total } = await index.frequencies(terms);
  const known = terms
    .map((term, at) => ({ term, at, count: counts[at] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.count - b.count);
  const rare = known.filter(({ count }) => count <= total * COMMON_SHARE);
  let entries = 0;
  return (rare.length > 0 ? rare : known)
    .slice(0, MOST_TERMS)
    .map(({ term, at, count }, rank) => {
      entries += count;
      const idf = Math.log(1 + (total - count + 0.5) / (count + 0.5));
      return { term, at, idf, asked: rank === 0 || entries <= MOST_ENTRIES };
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ term, idf, asked }) => ({ term, idf, asked }));
}

/** Whether a query has words, but none that tells something. */
export function hasOnlyStopTerms(query: string): boolean {
  const terms = cutTerms(query.slice(0, MOST_CHARS));
  return terms.length > 0 && terms.every(isStopTerm);
}
