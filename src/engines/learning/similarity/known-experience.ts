import { cutTerms, isStopTerm } from '#engines/retrieval';
import type { Experience, ExperienceStep } from '#spec/data';
import { isName, piecesOf } from '../experience/tokens-of.ts';
import { pathShapes, type StepShape } from './step-shape.ts';

/** An experience with what it is compared by. */
export interface KnownExperience {
  readonly experience: Experience;
  readonly terms: ReadonlySet<string>;
  /** The calls that worked, without repetitions. */
  readonly steps: readonly ExperienceStep[];
  readonly shapes: readonly StepShape[];
}

export function knownExperience(experience: Experience): KnownExperience {
  const steps: ExperienceStep[] = [];
  const shapes: StepShape[] = [];
  for (const { step, shape } of pathShapes(experience)) {
    if (!step.ok) continue;
    const again = JSON.stringify(steps.at(-1)?.input) === JSON.stringify(step.input);
    if (again && steps.at(-1)?.tool === step.tool) continue;
    steps.push(step);
    shapes.push(shape);
  }
  return { experience, terms: taskTerms(experience.task), steps, shapes };
}

/** What a task is about: telling terms, without the names of single things and what these are made of. */
export function taskTerms(task: string): ReadonlySet<string> {
  const words = piecesOf(task).map((piece) => (isName(piece) ? ' ' : piece));
  return new Set(cutTerms(words.join('')).filter((term) => !isStopTerm(term)));
}
