import { isOneSlip } from '#kit/one-slip';
import { cutTerms } from './cut-terms.ts';
import { isStopTerm } from './stop-words.ts';
import type { Thesaurus } from './thesaurus.ts';

/** A phrasing, and the topic that it means. */
export interface Phrasing {
  readonly topic: string;
  readonly text: string;
}

export interface FoundTopic {
  readonly topic: string;
  /** From 0 to 1: how surely it is meant. */
  readonly score: number;
}

export interface TopicIndex {
  /** Topics that share a word with the message, the likeliest first. */
  search(text: string): readonly FoundTopic[];
  /** How much a text says, by how telling its words are. */
  telling(text: string): number;
  /** How telling a word is: high where few topics say it. */
  weight(word: string): number;
}

/**
 * A score is made up of how likely a topic is among all of them, times how much of the message it says, and of how near its
 * nearest phrasings are. The first tells topics apart, the second tells whether any is meant.
 */
const SCORE = { share: 0.75, near: 0.25 };
/** Likeness is the mean over so many of the nearest phrasings of a topic: one that fits by chance counts half. */
const NEAREST = 2;
/**
 * How many words a topic is taken to have said beside its phrasings (Dirichlet's smoothing of naive Bayes). A common word
 * is likelier among them than a rare one, by the root of how often it is said. From 300 to 1000 held-out phrasings are told
 * apart alike.
 */
const UNSAID = 500;
/**
 * What counts beside a meaning: two that stand side by side, the word itself, a word of the frame such as `how do I`, and a
 * single Chinese character without a meaning; and what is named (`xservice`), which is not what is wanted. Held-out phrasings are told apart about as well by half or twice of each.
 */
const COUNTS = { meaning: 1, pair: 0.5, word: 0.25, frame: 0.2, character: 0.35, named: 0.4 };

/** How much the words of a message say the same again: at this a score of a half is right as often as it says. */
const HANG_TOGETHER = 0.8;

type Bag = Map<string, number>;

/**
 * An index over phrasings of topics: a message is held against every phrasing (TF-IDF and cosine) and against the words of
 * every topic (naive Bayes). Nothing is trained but counts, so it is built anew at each start.
 */
export function topicIndex(phrasings: readonly Phrasing[], words: Thesaurus): TopicIndex {
  const topics = [...new Set(phrasings.map(({ topic }) => topic))];
  const numbers = new Map(topics.map((topic, at) => [topic, at]));
  const owners = Int32Array.from(phrasings, ({ topic }) => numbers.get(topic) as number);
  const ids = new Map<string, number>();
  const rows = readRows(phrasings, words, ids);
  const { spread, counts, totals } = countTerms(rows, owners, topics.length, ids.size);
  /** A term that all topics have tells none apart; one that none has is as telling as can be. */
  const rarity = (topicsThatSay: number): number => Math.log(1 + topics.length / (1 + topicsThatSay));
  const weights = Float64Array.from(spread, rarity);
  const unknown = rarity(0);
  const idf = (id: number | undefined): number => (id === undefined ? unknown : (weights[id] as number));
  const postings = invert(rows, weights);
  const unsaid = unsaidWords(counts, ids.size);

  /** The mean of the nearest phrasings, for each topic. */
  const nearness = (bag: Bag): Float64Array => {
    const found = new Float64Array(phrasings.length);
    const said = [...bag].map(([term, count]) => ({
      id: ids.get(term),
      weight: count * idf(ids.get(term)),
    }));
    const length = Math.sqrt(said.reduce((sum, { weight }) => sum + weight ** 2, 0)) || 1;
    for (const { id, weight } of said) {
      if (id === undefined) continue;
      for (let place = postings.starts[id] as number; place < (postings.starts[id + 1] as number); place++) {
        const at = postings.phrasings[place] as number;
        found[at] = (found[at] as number) + (weight / length) * (postings.weights[place] as number);
      }
    }
    const best = Array.from({ length: topics.length }, (): number[] => []);
    for (const [at, likeness] of found.entries()) {
      if (likeness === 0) continue;
      const own = best[owners[at] as number] as number[];
      own.push(likeness);
      if (own.length > NEAREST) own.sort((one, other) => other - one).pop();
    }
    return Float64Array.from(best, (own) => own.reduce((sum, each) => sum + each, 0) / NEAREST);
  };

  const shares = (bag: Bag): Float64Array => {
    const known = [...bag].flatMap(([term, count]) => {
      const id = ids.get(term);
      return id === undefined ? [] : [{ id, count }];
    });
    const scores = Float64Array.from(topics, (_topic, at) => {
      const base = (totals[at] as number) + UNSAID;
      const own = counts[at] as Map<number, number>;
      return known.reduce(
        (sum, { id, count }) => sum + count * Math.log(((own.get(id) ?? 0) + (unsaid[id] as number)) / base),
        0,
      );
    });
    // Words of a phrasing hang together, so the sum of their evidence is too sure of itself: it is taken down by their number.
    const sure = HANG_TOGETHER * Math.sqrt(known.reduce((sum, { count }) => sum + count, 0)) || 1;
    const top = Math.max(...scores);
    const powers = scores.map((score) => Math.exp((score - top) / sure));
    const all = powers.reduce((sum, each) => sum + each, 0);
    // A topic that says nothing of what else the message says is likely only among those that say still less.
    const content = [...bag].filter(([term]) => !/^\.|\s/.test(term));
    const told = content.map(([term, count]) => ({ id: ids.get(term), weight: count * idf(ids.get(term)) }));
    const whole = told.reduce((sum, { weight }) => sum + weight, 0) || 1;
    return powers.map((each, at) => {
      const own = counts[at] as Map<number, number>;
      const covered = told.reduce(
        (sum, { id, weight }) => sum + (id !== undefined && own.has(id) ? weight : 0),
        0,
      );
      return (each / all) * (covered / whole);
    });
  };

  const vocabulary = new Set(phrasings.flatMap(({ text }) => text.toLowerCase().match(/[a-z]{4,}/g) ?? []));
  /** A message with the slips of its words mended, where a known word is one letter away. */
  const mended = (text: string): string =>
    text.replaceAll(/[a-z]{5,}/gi, (said) => {
      const word = said.toLowerCase();
      if (vocabulary.has(word) || ids.has(`.${cutTerms(word)[0] ?? ''}`)) return said;
      for (const known of vocabulary) if (known[0] === word[0] && isOneSlip(word, known)) return known;
      return said;
    });

  return {
    telling: (text) =>
      [...bagOf(text, words)].reduce((sum, [term, count]) => sum + count * idf(ids.get(term)), 0),
    weight: (word) => idf(ids.get(`.${cutTerms(word)[0] ?? ''}`)),
    search: (text) => {
      const bag = bagOf(mended(text), words);
      const near = nearness(bag);
      const share = shares(bag);
      return topics
        .flatMap((topic, at) =>
          (near[at] as number) > 0
            ? [{ topic, score: SCORE.share * (share[at] as number) + SCORE.near * (near[at] as number) }]
            : [],
        )
        .toSorted((one, other) => other.score - one.score);
    },
  };
}

/** The terms of all phrasings behind each other: those of phrasing `n` stand from `starts[n]` up to `starts[n + 1]`. */
interface Rows {
  readonly starts: Int32Array;
  readonly terms: Int32Array;
  readonly counts: Float64Array;
}

/** Reads phrasings into rows; a term that is new gets the next number of `ids`. */
function readRows(phrasings: readonly Phrasing[], words: Thesaurus, ids: Map<string, number>): Rows {
  const starts = new Int32Array(phrasings.length + 1);
  const terms: number[] = [];
  const counts: number[] = [];
  for (const [at, { text }] of phrasings.entries()) {
    for (const [term, count] of bagOf(text, words)) {
      const id = ids.get(term) ?? ids.size;
      if (id === ids.size) ids.set(term, id);
      terms.push(id);
      counts.push(count);
    }
    starts[at + 1] = terms.length;
  }
  return { starts, terms: Int32Array.from(terms), counts: Float64Array.from(counts) };
}

/** The phrasings of each term, and what it weighs in them: those of term `n` stand from `starts[n]` up to `starts[n + 1]`. */
function invert(rows: Rows, weights: Float64Array) {
  const starts = new Int32Array(weights.length + 1);
  for (const id of rows.terms) starts[id + 1] = (starts[id + 1] as number) + 1;
  for (let id = 0; id < weights.length; id++)
    starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number);
  const free = starts.slice();
  const postings = {
    starts,
    phrasings: new Int32Array(rows.terms.length),
    weights: new Float64Array(rows.terms.length),
  };
  const weightAt = (place: number): number =>
    (rows.counts[place] as number) * (weights[rows.terms[place] as number] as number);
  for (let at = 0; at + 1 < rows.starts.length; at++) {
    const end = rows.starts[at + 1] as number;
    let squares = 0;
    for (let place = rows.starts[at] as number; place < end; place++) squares += weightAt(place) ** 2;
    for (let place = rows.starts[at] as number; place < end; place++) {
      const id = rows.terms[place] as number;
      const to = free[id] as number;
      free[id] = to + 1;
      postings.phrasings[to] = at;
      postings.weights[to] = weightAt(place) / Math.sqrt(squares);
    }
  }
  return postings;
}

/** In how many topics each term stands, and how often in each of them. */
function countTerms(rows: Rows, owners: Int32Array, topics: number, terms: number) {
  const spread = new Int32Array(terms);
  const totals = new Float64Array(topics);
  const counts = Array.from({ length: topics }, () => new Map<number, number>());
  for (const [at, owner] of owners.entries()) {
    const own = counts[owner] as Map<number, number>;
    for (let place = rows.starts[at] as number; place < (rows.starts[at + 1] as number); place++) {
      const id = rows.terms[place] as number;
      const count = rows.counts[place] as number;
      const known = own.get(id);
      if (known === undefined) spread[id] = (spread[id] as number) + 1;
      own.set(id, (known ?? 0) + count);
      totals[owner] = (totals[owner] as number) + count;
    }
  }
  return { spread, counts, totals };
}

/** How often each term is taken to be said beside the phrasings of a topic. */
function unsaidWords(counts: readonly ReadonlyMap<number, number>[], terms: number): Float64Array {
  const roots = new Float64Array(terms);
  for (const own of counts) for (const [id, count] of own) roots[id] = (roots[id] as number) + count;
  for (const [id, said] of roots.entries()) roots[id] = Math.sqrt(said);
  const all = roots.reduce((sum, each) => sum + each, 0) || 1;
  return roots.map((root) => (UNSAID * root) / all);
}

const HAN = /\p{Script=Han}/u;
/** A kind of thing that stands for the name of one. */
const NAMED = /^x[a-z]{3,}$/;

/** What a text says, each term with what it counts: `=12` a meaning, `.word` a word, two apart by a blank a pair. */
function bagOf(text: string, words: Thesaurus): Bag {
  const bag: Bag = new Map();
  const add = (term: string, count: number) => {
    if ((bag.get(term) ?? 0) < count) bag.set(term, count);
  };
  let before = '';
  for (const term of words.read(text)) {
    if (isStopTerm(term)) continue;
    add(term, NAMED.test(term) ? COUNTS.named : HAN.test(term) ? COUNTS.character : COUNTS.meaning);
    if (before !== '') add(`${before} ${term}`, COUNTS.pair);
    before = term;
  }
  for (const word of cutTerms(text)) add(`.${word}`, isStopTerm(word) ? COUNTS.frame : COUNTS.word);
  return bag;
}
