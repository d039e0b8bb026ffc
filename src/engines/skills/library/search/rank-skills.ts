import type { Skill } from '#spec/data';
import { addWord, type Lengths, lengthsOf, type Scores, withScores } from './add-word.ts';
import { idfOf, type QueryWord } from './query-words.ts';
import type { Posting, SkillIndex, Slot } from './skill-index.ts';

/** How well a skill fits a query. */
export interface RankedSkill {
  readonly skill: Skill;
  /** Orders them; 1 is the best of this query. */
  readonly score: number;
  /** From 0 to 1: how much of what the query says one passage of the skill says too. The gate looks at this. */
  readonly fit: number;
}

/** Chosen by measurement; see the README. */
const KIN = {
  /** After the first, skills that are like the best ones go before others that share a word. */
  of: 3,
  terms: 20,
  /** Of so many typical words of each those are chosen. */
  kept: 60,
  share: 1,
  /** What makes a word typical: its share of the text, counted as if that had so many words, and its place. */
  words: 300,
  lead: 4,
  k1: 4,
};
/** A query of a single rare word is weak evidence: it is judged as if it had so much more to say. */
const DOUBT = 6;
const MOST_RANKED = 100;
/** How many skills are looked at for one query, counted once for every word that they share with it. */
const MOST_SKILLS = 4_000;

const knownLengths = new WeakMap<SkillIndex, Lengths>();

/** Skills that have a word of the query, best first. */
export function rankSkills(index: SkillIndex, words: readonly QueryWord[]): readonly RankedSkill[] {
  const sum = words.reduce((total, { idf, relative }) => total + (relative ? 0 : idf), 0);
  if (sum === 0) return [];
  let lengths = knownLengths.get(index);
  if (lengths?.changes !== index.changes) knownLengths.set(index, (lengths = lengthsOf(index)));
  const first = firstOrder(index, lengths, words);
  const [top] = first;
  if (!top) return [];
  const kin = kinScores(index, lengths, first);
  return first
    .map(({ slot, score, said }, at): RankedSkill => {
      const share = (score / top.score + KIN.share * (kin[at] as number)) / (1 + KIN.share);
      return {
        skill: (index.slots[slot] as Slot).skill,
        score: slot === top.slot ? 1 : Math.min(share, 0.999),
        fit: said / (sum + DOUBT),
      };
    })
    .sort((a, b) => b.score - a.score);
}

/** By what they share with the query alone. `said`: what of its own words the best passage has. */
function firstOrder(
  index: SkillIndex,
  lengths: Lengths,
  words: readonly QueryWord[],
): readonly (Total & { readonly said: number })[] {
  const own = words.filter(({ relative }) => !relative);
  return withScores(index, (scores) => {
    for (const word of withinReach(index, own)) addWord(index, lengths, word, scores);
    const said = new Map(scores.touched.map((slot) => [slot, bestPassage(index, slot, scores.passages)]));
    for (const word of words) if (word.relative) addWord(index, lengths, word, scores);
    return ordered(index, scores).map((total) => ({ ...total, said: said.get(total.slot) ?? 0 }));
  });
}

/** The rarest words, as far as looking at all skills that have them takes no long time. */
function withinReach(index: SkillIndex, words: readonly QueryWord[]): readonly QueryWord[] {
  let skills = 0;
  return words
    .toSorted((a, b) => b.idf - a.idf)
    .filter(({ term }, at) => {
      skills += index.posting(term)?.live ?? 0;
      return at === 0 || skills <= MOST_SKILLS;
    });
}

interface Total {
  readonly slot: number;
  readonly score: number;
}

/** The best by what they were given so far. */
function ordered(index: SkillIndex, scores: Scores): readonly Total[] {
  const totals = Float64Array.from(scores.touched, (slot) => totalOf(index, slot, scores));
  const least = totals.toSorted()[totals.length - MOST_RANKED] ?? 0;
  const best: Total[] = [];
  for (const [at, slot] of scores.touched.entries()) {
    const score = totals[at] as number;
    if (score >= least) best.push({ slot, score });
  }
  return best.sort((a, b) => b.score - a.score).slice(0, MOST_RANKED);
}

const totalOf = (index: SkillIndex, slot: number, scores: Scores): number =>
  bestPassage(index, slot, scores.passages) + (scores.whole[slot] as number);

function bestPassage(index: SkillIndex, slot: number, passages: Float64Array): number {
  const { from, to } = index.slots[slot] as Slot;
  let best = 0;
  for (let at = from; at < to; at++) if ((passages[at] as number) > best) best = passages[at] as number;
  return best;
}

/** From 0 to 1: how much each skill has of what is typical of the best ones. */
function kinScores(index: SkillIndex, lengths: Lengths, ranked: readonly Total[]): readonly number[] {
  const typical = new Map<string, number>();
  for (const { slot, score } of ranked.slice(0, KIN.of)) {
    for (const { term, posting, share } of typicalOf(index, slot)) {
      const gain = score * share * idfOf(posting.live, index.live.skills);
      typical.set(term, (typical.get(term) ?? 0) + gain);
    }
  }
  const terms = [...typical].sort((a, b) => b[1] - a[1]).slice(0, KIN.terms);
  const shares = withScores(index, (scores) => {
    for (const [term, idf] of terms) addWord(index, lengths, { term, idf }, scores);
    return ranked.map(({ slot }) => totalOf(index, slot, scores));
  });
  const most = Math.max(...shares) || 1;
  return shares.map((share) => share / most);
}

interface Typical {
  readonly term: string;
  readonly posting: Posting;
  /** From 0 to 1: how much the skill speaks of it. */
  readonly share: number;
}

const typicalTerms = new WeakMap<Slot, readonly Typical[]>();

/** The terms that a skill uses often, or in its lead. */
function typicalOf(index: SkillIndex, number: number): readonly Typical[] {
  const slot = index.slots[number] as Slot;
  const known = typicalTerms.get(slot);
  if (known) return known;
  const made = slot.terms.flatMap((term): Typical[] => {
    const posting = index.posting(term) as Posting;
    const at = tripleOf(posting.skills, number);
    const count =
      (KIN.words * (posting.skills[at + 1] as number)) / (slot.weight + 1) +
      KIN.lead * (posting.skills[at + 2] as number);
    return count < 1 ? [] : [{ term, posting, share: count / (count + KIN.k1) }];
  });
  const telling = ({ posting, share }: Typical) => share * idfOf(posting.live, index.live.skills);
  const most = made.sort((a, b) => telling(b) - telling(a)).slice(0, KIN.kept);
  typicalTerms.set(slot, most);
  return most;
}

/** Where the triple of a slot begins: they are in order. */
function tripleOf(skills: readonly number[], slot: number): number {
  let [low, high] = [0, skills.length / 3 - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((skills[middle * 3] as number) < slot) low = middle + 1;
    else high = middle;
  }
  return low * 3;
}
