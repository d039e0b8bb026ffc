/** How rare things are, learned as they come. */
export interface Rarity {
  add(things: Iterable<string>): void;
  drop(things: Iterable<string>): void;
  /** From near 0 for what is everywhere to 1 for what is nowhere else. */
  of(thing: string): number;
  /** What it is worth in telling kinds apart: a rare thing much, one that never came before little, for or against. */
  worth(thing: string): number;
  /** Whether many of those that were seen have it; false while few were seen. */
  isCommon(thing: string): boolean;
}

/** The worth of what never came before. */
const UNKNOWN = 0.3;
const ENOUGH = 20;
const COMMON = 0.08;
/** Tasks that are imagined to have nothing of it, so that a handful of real ones does not make their words worthless. */
const PRIOR = 40;

export function rarity(): Rarity {
  const counts = new Map<string, number>();
  let total = 0;
  const of = (thing: string): number =>
    Math.log(1 + (total + PRIOR) / ((counts.get(thing) ?? 0) + 0.5)) / Math.log(1 + (total + PRIOR) / 0.5);
  return {
    add: (things) => {
      total++;
      for (const thing of new Set(things)) counts.set(thing, (counts.get(thing) ?? 0) + 1);
    },
    drop: (things) => {
      total--;
      for (const thing of new Set(things)) counts.set(thing, Math.max(0, (counts.get(thing) ?? 0) - 1));
    },
    isCommon: (thing) => total >= ENOUGH && (counts.get(thing) ?? 0) >= total * COMMON,
    of,
    worth: (thing) => (counts.get(thing) ? of(thing) ** 2 : UNKNOWN),
  };
}
