import { cutTerms } from './cut-terms.ts';
import { isStopTerm } from './stop-words.ts';

/** A piece of text that can be found. */
export interface Passage<T> {
  /** What it is called: a heading and where it stands, a name and what it does. */
  readonly lead: string;
  readonly text: string;
  readonly of: T;
}

export interface FoundPassage<T> {
  readonly of: T;
  /** From 0 to 1: the share of what the query says, weighed by how telling its words are, that the passage says too. */
  readonly fit: number;
  /** Words of the query that its lead has, and that it has at all. */
  readonly inLead: number;
  readonly shared: number;
  /** Orders passages of one query; no meaning beyond it. */
  readonly score: number;
}

export interface Passages<T> {
  search(text: string, limit: number): readonly FoundPassage<T>[];
}

const LEAD_WEIGHT = 3;
const K1 = 1.2;
const B = 0.5;
/**
 * Words that no passage has say less: a name that somebody made up, or two characters of different Chinese words that
 * only stand side by side.
 */
const UNKNOWN = { word: 0.5, pair: 0.2 };
/** A query of a single rare word is weak evidence: it is judged as if it had so much more to say. */
const DOUBT = 3;
const HAN = /\p{Script=Han}/u;

/** An index over a few hundred passages, built in one go. */
export function passageIndex<T>(passages: readonly Passage<T>[]): Passages<T> {
  const counts = passages.map(({ lead, text }) => {
    const found = new Map<string, number>();
    for (const term of cutTerms(text)) found.set(term, (found.get(term) ?? 0) + 1);
    for (const term of cutTerms(lead)) found.set(term, (found.get(term) ?? 0) + LEAD_WEIGHT);
    return found;
  });
  const leads = passages.map(({ lead }) => new Set(cutTerms(lead)));
  const lengths = counts.map((found) => [...found.values()].reduce((sum, count) => sum + count, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1) || 1;
  const spread = new Map<string, number>();
  for (const found of counts) for (const term of found.keys()) spread.set(term, (spread.get(term) ?? 0) + 1);
  const idf = (term: string): number => {
    const count = spread.get(term) ?? 0;
    if (count === 0)
      return Math.log(1 + 2 * passages.length) * (HAN.test(term) ? UNKNOWN.pair : UNKNOWN.word);
    return Math.log(1 + (passages.length - count + 0.5) / (count + 0.5));
  };
  return {
    search: (text, limit) => {
      const words = [...new Set(cutTerms(text))].filter((term) => !isStopTerm(term));
      const sum = words.reduce((total, term) => total + idf(term), 0);
      if (sum === 0) return [];
      return passages
        .map(({ of }, at): FoundPassage<T> => {
          const norm = K1 * (1 - B + (B * (lengths[at] as number)) / average);
          let [score, said, inLead, shared] = [0, 0, 0, 0];
          for (const term of words) {
            const count = counts[at]?.get(term) ?? 0;
            if (count === 0) continue;
            score += (idf(term) * (count * (K1 + 1))) / (count + norm);
            said += idf(term);
            shared++;
            if (leads[at]?.has(term)) inLead++;
          }
          return { of, score, inLead, shared, fit: said / (sum + DOUBT) };
        })
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, limit);
    },
  };
}
