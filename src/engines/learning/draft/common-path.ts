import type { ExperienceStep } from '#spec/data';
import type { KnownExperience } from '../similarity/known-experience.ts';
import type { Rarity } from '../similarity/rarity.ts';
import { alignment, type StepShape, sameCall } from '../similarity/step-shape.ts';

/** A call that most members of a kind made, with the form it had in each; undefined where one did without. */
export interface CommonStep {
  readonly calls: readonly (ExperienceStep | undefined)[];
}

/**
 * A success without a call shows that it is not needed. Among many, one that went its own way is allowed for.
 */
const MOST = 0.8;
const FEW = 4;

/**
 * The calls that successful tasks of one kind have in common, in order. What only some of them did, such as looking
 * around before the way was known, falls out.
 */
export function commonPath(members: readonly KnownExperience[], rare?: Rarity): CommonStep[] {
  const base = members.toSorted((a, b) => a.shapes.length - b.shapes.length)[0];
  if (!base) return [];
  // Where only one of two can be kept in order, the call that tells more is.
  const worth = (shape: StepShape) => (rare ? rare.of(shape.key) ** 2 : 1);
  const columns = members.map((member) => {
    if (member === base) return new Map(base.steps.map((step, at) => [at, step]));
    const pairs = alignment(base.shapes, member.shapes, (a, b) => sameCall(a, b) * worth(a));
    return new Map(pairs.map(({ left, right }) => [left, member.steps[right]]));
  });
  const steps = base.steps.map((_, at) => ({ calls: columns.map((column) => column.get(at)) }));
  const least = members.length <= FEW ? members.length : Math.ceil(members.length * MOST);
  return steps.filter(({ calls }) => calls.filter(Boolean).length >= least);
}
