import type { SkillIndex, Slot } from './skill-index.ts';

/** What a word counts by how often it stands somewhere. Chosen by measurement; see the README. */
const COUNTING = {
  /** The best passage, together with the lead: whether the skill tells how to do this very thing. */
  passage: { k1: 0.6, b: 0.35 },
  /** The whole skill, saturated at once, soon and late: whether it is about this. */
  whole: [
    { share: 0.2, k1: 0.01 },
    { share: 0.8, k1: 4 },
    { share: 1.2, k1: 16 },
  ],
  /** What a word of the lead counts in the whole, and how far lengths even out. */
  lead: { weight: 4, b: 0.5 },
  text: { weight: 0.5, b: 0.3 },
};

/** Lengths against the average, worked out once for as long as the index stays as it is. */
export interface Lengths {
  readonly changes: number;
  readonly passage: Float64Array;
  readonly slotOf: Int32Array;
  readonly text: Float64Array;
  readonly lead: Float64Array;
  readonly gone: Uint8Array;
}

export function lengthsOf({ live, slots, passages, changes }: SkillIndex): Lengths {
  const { passage: P, lead: L, text: T } = COUNTING;
  const [length, text, lead] = [
    live.length / live.passages || 1,
    live.weight / live.skills || 1,
    live.lead / live.skills || 1,
  ];
  return {
    changes,
    passage: Float64Array.from(passages, (one) => P.k1 * (1 - P.b + (P.b * one.length) / length)),
    slotOf: Int32Array.from(passages, ({ slot }) => slot),
    text: Float64Array.from(slots, ({ weight }) => T.weight / (1 - T.b + (T.b * weight) / text)),
    lead: Float64Array.from(slots, (slot) => L.weight / (1 - L.b + (L.b * slot.lead) / lead)),
    gone: Uint8Array.from(slots, ({ gone }) => Number(gone)),
  };
}

/** Sums for one query. */
export interface Scores {
  readonly whole: Float64Array;
  readonly passages: Float64Array;
  /** Slots that have a word of it, each once. */
  readonly touched: number[];
  readonly seen: Uint8Array;
  /** How often the lead of a slot has the word that is being added. */
  readonly leads: Float64Array;
}

const spare = new WeakMap<SkillIndex, Scores[]>();

/** Lends sums that are all zero, and takes them back: making them anew for every query would cost more than the query. */
export function withScores<T>(index: SkillIndex, use: (scores: Scores) => T): T {
  const kept = spare.get(index) ?? [];
  spare.set(index, kept);
  const scores = takeFitting(kept, index) ?? {
    whole: new Float64Array(index.slots.length),
    passages: new Float64Array(index.passages.length),
    touched: [],
    seen: new Uint8Array(index.slots.length),
    leads: new Float64Array(index.slots.length),
  };
  const result = use(scores);
  for (const slot of scores.touched) {
    const { from, to } = index.slots[slot] as Slot;
    scores.whole[slot] = 0;
    scores.seen[slot] = 0;
    scores.passages.fill(0, from, to);
  }
  scores.touched.length = 0;
  kept.push(scores);
  return result;
}

/** The last one that was kept; those from before the index grew are let go. */
function takeFitting(kept: Scores[], { slots, passages }: SkillIndex): Scores | undefined {
  const last = kept.pop();
  if (last?.whole.length === slots.length && last.passages.length === passages.length) return last;
  kept.length = 0;
  return undefined;
}

/** Adds what a word of this weight gives each skill and passage that has it. */
export function addWord(
  index: SkillIndex,
  lengths: Lengths,
  word: { readonly term: string; readonly idf: number },
  scores: Scores,
): void {
  const posting = index.posting(word.term);
  if (!posting) return;
  const { idf } = word;
  const { skills, passages } = posting;
  const { leads } = scores;
  const norms = lengths.passage;
  for (let at = 0; at < skills.length; at += 3) {
    const slot = skills[at] as number;
    if (lengths.gone[slot]) continue;
    if (!scores.seen[slot]) {
      scores.seen[slot] = 1;
      scores.touched.push(slot);
    }
    const lead = skills[at + 2] as number;
    const count =
      (skills[at + 1] as number) * (lengths.text[slot] as number) + lead * (lengths.lead[slot] as number);
    (scores.whole[slot] as number) += idf * inWhole(count);
    if (lead === 0) continue;
    leads[slot] = lead;
    const { from, to } = index.slots[slot] as { from: number; to: number };
    for (let p = from; p < to; p++) {
      (scores.passages[p] as number) += (idf * lead) / (lead + (norms[p] as number));
    }
  }
  for (let at = 0; at < passages.length; at += 2) {
    const p = passages[at] as number;
    const lead = leads[lengths.slotOf[p] as number] as number;
    const norm = norms[p] as number;
    const count = lead + (passages[at + 1] as number);
    (scores.passages[p] as number) += idf * (count / (count + norm) - lead / (lead + norm));
  }
  for (let at = 0; at < skills.length; at += 3) leads[skills[at] as number] = 0;
}

function inWhole(count: number): number {
  let sum = 0;
  for (const { share, k1 } of COUNTING.whole) sum += (share * count) / (count + k1);
  return sum;
}
