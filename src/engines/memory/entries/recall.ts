import { chooseTerms, FIELD_WEIGHTS, rankRecall, recallPool, termFields } from '#engines/retrieval';
import type { MemoryEntry } from '#spec/data';
import type { MemoryIndex } from '#spec/ports';
import type { Indexer } from './index-pending.ts';
import type { MemoryRanking, RecalledMemory, RecallOptions, Scopes, ScoreBreakdown } from './memory.ts';

const DEFAULT_LIMIT = 8;
/** Entries that wait for their terms are taken up first, so that nothing new is missed. */
const TAKEN_UP = 1_000;
/** Below this trust an entry sinks; above it trust says nothing about whether it fits. */
const DOUBTED = 0.4;
const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;
const OFTEN = 10;
const MOST_QUERY_CHARS = 8_000;
const NEVER = new AbortController().signal;
const TELLING_CHARS = 400;

interface Parts {
  readonly index: MemoryIndex;
  readonly indexer: Indexer;
  readonly ranking: MemoryRanking;
  readonly now: () => number;
}

/** Entries of the scopes that tell about what was asked, best first. */
export async function recallEntries(
  { index, indexer, ranking, now }: Parts,
  given: string,
  scopes: Scopes,
  { limit = DEFAULT_LIMIT, signal = NEVER, explain = false, overlap = false }: RecallOptions,
): Promise<readonly RecalledMemory[]> {
  const query = given.slice(0, MOST_QUERY_CHARS);
  if (!query.trim() || limit <= 0) return [];
  await indexer.takeTerms(TAKEN_UP);
  const pool = recallPool(limit);
  const [terms, embedding] = await Promise.all([
    chooseTerms(query, index),
    ranking === 'text' ? undefined : indexer.embed(query, signal),
  ]);
  const asked = terms.filter(({ asked: wanted }) => wanted).map(({ term }) => term);
  const [byText, byVector] = await Promise.all([
    asked.length ? index.byTerms(asked, FIELD_WEIGHTS, scopes, pool) : [],
    embedding ? index.byVector(embedding, scopes, pool) : [],
  ]);
  const at = now();
  const alive = ({ entry }: { readonly entry: MemoryEntry }) =>
    (entry.expiresAt ?? Number.POSITIVE_INFINITY) > at;
  const textHits = byText.filter(alive);
  const vectorHits = byVector.filter(alive);
  const ranked = rankRecall(
    {
      terms,
      textHits: textHits.map(({ entry, score }) => ({ candidate: candidate(entry), score })),
      vectorHits: vectorHits.map(({ entry, similarity }) => ({ candidate: candidate(entry), similarity })),
    },
    { scorer: SCORERS[ranking], now: at, limit: pool },
  );
  const texts = new Map(textHits.map(({ entry, score }) => [entry.id, score]));
  const similarities = new Map(vectorHits.map(({ entry, similarity }) => [entry.id, similarity]));
  const bestText = Math.max(...texts.values(), Number.MIN_VALUE);
  const best = ranked
    .map(({ entry, score, parts, shares, matched }) => {
      const believed = score * doubt(entry.trust);
      return {
        entry,
        score: believed,
        hrr: parts.hrr,
        why: {
          shares: { ...shares, doubt: believed - score },
          matched: matched.split(' ').filter(Boolean),
        },
      };
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
  const shared = overlap
    ? await overlaps(
        index,
        query,
        best.map(({ entry }) => entry),
      )
    : undefined;
  return best.map(({ entry, score, hrr, why }): RecalledMemory => {
    const similarity = similarities.get(entry.id);
    const text = (texts.get(entry.id) ?? 0) / bestText;
    const parts = { text, vector: similarity ?? 0, hrr, final: score };
    return {
      entry,
      score,
      ...shared?.(entry),
      ...(similarity === undefined ? {} : { similarity }),
      ...(explain ? { breakdown: breakdown(entry, parts, at), ...why } : {}),
    };
  });
}

const candidate = (entry: MemoryEntry) => ({
  id: entry.id,
  // Entries of one session belong together; any other stands alone.
  group: entry.provenance.session ?? entry.id,
  at: entry.at,
  text: entry.key ? `${entry.key} ${entry.text}` : entry.text,
  ...(entry.context?.speaker ? { speaker: entry.context.speaker } : {}),
  accesses: entry.accesses,
  entry,
});

const SCORERS = { hybrid: 'measured', text: 'measured', hrr: 'hrr', seed: 'seed' } as const;

const doubt = (trust: number): number => (trust >= DOUBTED ? 1 : 0.25 + (0.75 * trust) / DOUBTED);

function breakdown(
  entry: MemoryEntry,
  parts: Pick<ScoreBreakdown, 'text' | 'vector' | 'hrr' | 'final'>,
  now: number,
): ScoreBreakdown {
  return {
    ...parts,
    recency: Math.exp(-Math.max(0, now - entry.at) / HOUR_MS / WEEK_HOURS),
    trust: entry.trust,
    access: Math.min(entry.accesses / OFTEN, 1),
  };
}

/**
 * How much query and entry tell of each other, by the rarity of the terms that they share. Words that no entry has
 * count as rare: a question about something else shares little even where one common word matches.
 */
async function overlaps(
  index: Pick<MemoryIndex, 'frequencies'>,
  query: string,
  entries: readonly MemoryEntry[],
): Promise<(entry: MemoryEntry) => { coverage: number; covered: number }> {
  // The beginning of a long text tells what it is about.
  const termsOf = (text: string) =>
    new Set(
      termFields({ text: text.slice(0, TELLING_CHARS), at: 0 })
        .text.split(' ')
        .filter(Boolean),
    );
  const asked = termsOf(query);
  const told = new Map(entries.map((entry) => [entry.id, termsOf(`${entry.key ?? ''} ${entry.text}`)]));
  const all = [...new Set([...asked, ...[...told.values()].flatMap((terms) => [...terms])])];
  const { counts, total } = all.length ? await index.frequencies(all) : { counts: [], total: 0 };
  const weights = new Map(
    all.map((term, at) => [
      term,
      Math.log(1 + (total - (counts[at] ?? 0) + 0.5) / ((counts[at] ?? 0) + 0.5)),
    ]),
  );
  const weight = (terms: Iterable<string>): number =>
    [...terms].reduce((sum, term) => sum + Math.max(0.1, weights.get(term) ?? 0), 0);
  return (entry) => {
    const own = told.get(entry.id) ?? new Set<string>();
    const shared = weight([...asked].filter((term) => own.has(term)));
    return { coverage: shared / (weight(asked) || 1), covered: shared / (weight(own) || 1) };
  };
}
