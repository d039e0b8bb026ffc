import type { SearchHit, SearchIndex, SearchScope } from '#spec/ports';
import { chooseTerms, hasOnlyStopTerms } from './choose-terms.ts';
import { FIELD_WEIGHTS } from './field-weights.ts';
import { indexMissing } from './index-missing.ts';
import { messageText } from './message-text.ts';
import { newestFirst } from './newest-first.ts';
import { rankHits } from './rank-hits.ts';

export interface SearchOptions {
  readonly scope?: SearchScope;
  readonly limit?: number;
}

const DEFAULT_LIMIT = 10;
/** How many hits of the index are looked at for each one that is wanted, and how many at least. */
const POOL_FACTOR = 5;
const LEAST_POOL = 50;
/** Chosen by measurement, see the README. */
const NEAR = { share: 0.05, fullShare: 0.4 };
/** What stands around the words of a query. */
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/**
 * Messages that tell about what was asked, best first. Any text is a valid query; where it has no word at all,
 * nothing is found. Words that tell nothing by themselves ("to be or not to be") are looked for as they stand.
 */
export async function searchSessions(
  query: string,
  { index }: { readonly index: SearchIndex },
  { scope = {}, limit = DEFAULT_LIMIT }: SearchOptions = {},
): Promise<readonly SearchHit[]> {
  await indexMissing(index);
  const chosen = await chooseTerms(query, index);
  if (chosen.length === 0)
    return hasOnlyStopTerms(query) ? index.phrase(query.replace(EDGES, ''), scope, limit) : [];
  const terms = chosen.filter(({ asked }) => asked).map(({ term }) => term);
  const hits = await index.query(terms, FIELD_WEIGHTS, scope, Math.max(LEAST_POOL, limit * POOL_FACTOR));
  return newestFirst(rankHits(hits.map(candidateOf), chosen), NEAR)
    .slice(0, limit)
    .map(({ hit, score }) => ({ ...hit, score }));
}

function candidateOf(hit: SearchHit) {
  const { id, session: group, score, message } = hit;
  return { id, group, at: message.at, text: messageText(message.message), score, hit };
}
