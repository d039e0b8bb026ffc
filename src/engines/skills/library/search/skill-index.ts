import { isStopTerm } from '#engines/retrieval';
import type { Skill } from '#spec/data';
import { skillPieces } from './skill-pieces.ts';

/** In how many skills a term stands, and where. Dropped skills stay in the lists and are stepped over. */
export interface Posting {
  /** Triples in order: slot, weight outside of the lead, count in the lead. */
  readonly skills: number[];
  /** Pairs in order: passage, count. */
  readonly passages: number[];
  live: number;
}

export interface Slot {
  readonly skill: Skill;
  readonly terms: readonly string[];
  /** Of all its terms outside of the lead. */
  readonly weight: number;
  /** How many terms the lead has. */
  readonly lead: number;
  /** Its passages are these numbers, the second excluded. */
  readonly from: number;
  readonly to: number;
  gone: boolean;
}

interface Passage {
  readonly slot: number;
  length: number;
}

/** The terms of a library, kept up to date skill by skill. */
export interface SkillIndex {
  put(skill: Skill): void;
  drop(skill: Skill): void;
  posting(term: string): Posting | undefined;
  termsOf(skill: Skill): readonly string[];
  /** Terms that begin with the same letters as this one, itself left out. */
  relatives(term: string): readonly string[];
  readonly slots: readonly Slot[];
  readonly passages: readonly Passage[];
  /** Sums over the skills that are there. */
  readonly live: Readonly<Totals>;
  /** Grows with every change. */
  readonly changes: number;
}

interface Totals {
  skills: number;
  weight: number;
  lead: number;
  passages: number;
  length: number;
}

/** Words that share so many letters at their beginning may be forms of one word. */
const STEM_CHARS = 5;
const PLAIN_WORD = /^[a-z]+$/;
/** Stands for terms that say nothing. */
const NOTHING: Posting = { skills: [], passages: [], live: 0 };

export function skillIndex(): SkillIndex {
  const postings = new Map<string, Posting>();
  const byStem = new Map<string, string[]>();
  const slots: Slot[] = [];
  const passages: Passage[] = [];
  const slotOf = new Map<Skill, number>();
  const live: Totals = { skills: 0, weight: 0, lead: 0, passages: 0, length: 0 };

  const postingOf = (term: string): Posting => {
    const known = postings.get(term);
    if (known) return known;
    const made: Posting = isStopTerm(term) ? NOTHING : { skills: [], passages: [], live: 0 };
    postings.set(term, made);
    if (made === NOTHING) return made;
    if (term.length >= STEM_CHARS && PLAIN_WORD.test(term)) {
      const stem = term.slice(0, STEM_CHARS);
      const family = byStem.get(stem);
      if (family) family.push(term);
      else byStem.set(stem, [term]);
    }
    return made;
  };

  const put = (skill: Skill) => {
    const cut = skillPieces(skill);
    const slot = slots.length;
    const from = passages.length;
    const to = from + cut.passages;
    for (let at = from; at < to; at++) passages.push({ slot, length: 0 });
    const terms: string[] = [];
    const sum = { weight: 0, lead: 0 };
    for (const { terms: found, weight, passage } of cut.pieces) {
      const lead = passage === 'lead' ? 1 : 0;
      const here = typeof passage === 'number' ? from + passage : undefined;
      let count = 0;
      for (const term of found) {
        const posting = postingOf(term);
        if (posting === NOTHING) continue;
        count++;
        if (addTo(posting.skills, slot, weight, lead)) {
          posting.live++;
          terms.push(term);
        }
        if (here !== undefined) countIn(posting.passages, here);
      }
      sum.lead += count * lead;
      sum.weight += count * weight;
      if (here !== undefined) (passages[here] as Passage).length += count;
    }
    for (let at = from; at < to; at++) (passages[at] as Passage).length += sum.lead;
    slots.push({ skill, terms, ...sum, from, to, gone: false });
    slotOf.set(skill, slot);
    account(slots[slot] as Slot, 1);
  };

  let changes = 0;
  const account = ({ weight, lead, from, to }: Slot, sign: 1 | -1) => {
    changes++;
    live.skills += sign;
    live.weight += sign * weight;
    live.lead += sign * lead;
    live.passages += sign * (to - from);
    for (let at = from; at < to; at++) live.length += sign * (passages[at] as Passage).length;
  };

  return {
    put,
    drop: (skill) => {
      const at = slotOf.get(skill);
      const slot = at === undefined ? undefined : slots[at];
      if (!slot) return;
      slotOf.delete(skill);
      slot.gone = true;
      account(slot, -1);
      for (const term of slot.terms) (postings.get(term) as Posting).live--;
    },
    posting: (term) => postings.get(term),
    termsOf: (skill) => slots[slotOf.get(skill) ?? -1]?.terms ?? [],
    relatives: (term) => {
      if (term.length < STEM_CHARS) return [];
      const stem = term.slice(0, Math.max(STEM_CHARS, term.length - 2));
      return (byStem.get(term.slice(0, STEM_CHARS)) ?? []).filter(
        (other) => other !== term && other.startsWith(stem) && other.length <= term.length + 4,
      );
    },
    slots,
    passages,
    live,
    get changes() {
      return changes;
    },
  };
}

/** Adds to the last triple if it is that of this slot, else makes one; tells whether it made one. */
function addTo(skills: number[], slot: number, weight: number, lead: number): boolean {
  const last = skills.length - 3;
  if (skills[last] === slot) {
    (skills[last + 1] as number) += weight;
    (skills[last + 2] as number) += lead;
    return false;
  }
  skills.push(slot, weight, lead);
  return true;
}

function countIn(counts: number[], passage: number): void {
  const last = counts.length - 2;
  if (counts[last] === passage) (counts[last + 1] as number)++;
  else counts.push(passage, 1);
}
