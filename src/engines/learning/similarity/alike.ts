import type { KnownExperience } from './known-experience.ts';
import type { Rarity } from './rarity.ts';
import { alignment, sameCall } from './step-shape.ts';

export interface Rarities {
  readonly terms: Rarity;
  readonly steps: Rarity;
}

/** How alike two tasks are: in their words, and in the calls that solved them; each from 0 to 1. */
export function alike(
  a: KnownExperience,
  b: KnownExperience,
  { terms, steps }: Rarities,
): { readonly words: number; readonly path: number } {
  return { words: likeWords(a.terms, b.terms, (term) => terms.of(term) ** 2), path: likePaths(a, b, steps) };
}

export function likeWords(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
  weight: (term: string) => number,
): number {
  const sum = (terms: Iterable<string>) => [...terms].reduce((all, term) => all + weight(term), 0);
  const shared = sum([...a].filter((term) => b.has(term)));
  return shared / (Math.sqrt(sum(a) * sum(b)) || 1);
}

/** What common calls, such as those that only look around, have little say in. */
function likePaths(a: KnownExperience, b: KnownExperience, rare: Rarity): number {
  const weight = (known: KnownExperience, at: number) => rare.of(known.shapes[at]?.key ?? '') ** 2;
  const sum = (known: KnownExperience) => known.shapes.reduce((all, _, at) => all + weight(known, at), 0);
  const pairs = alignment(
    a.shapes,
    b.shapes,
    (left, right) => sameCall(left, right) * rare.of(left.key) * rare.of(right.key),
  );
  const shared = pairs.reduce((all, pair) => all + pair.likeness, 0);
  return Math.min(1, shared / (Math.sqrt(sum(a) * sum(b)) || 1));
}
