import type { Experience } from '#spec/data';
import type { Procedure } from '../procedure/procedure.ts';
import type { Rarity } from '../similarity/rarity.ts';
import { namesIn } from '../experience/tokens-of.ts';
import {
  alignment,
  leavesOf,
  pathShapes,
  type StepShape,
  sameCall,
  templateShape,
} from '../similarity/step-shape.ts';

/** How a procedure would have done on a task that was solved. */
export interface Replay {
  readonly experience: string;
  /** Share of its steps that the solution has, in their order, from 0 to 1. */
  readonly covered: number;
  /** Share of its inputs whose values the task gives. */
  readonly bound: number;
  /** Share of the solution that it has, by how telling its calls are, from 0 to 1. */
  readonly complete: number;
  /** Steps that the solution did without. */
  readonly excess: number;
  /** The first two shares together. */
  readonly score: number;
}

const COVERS = 0.8;
const COMPLETE = 0.6;

/** Whether a task was done as a procedure says: all of it is there, and it is most of what was done. */
export const isDoneBy = ({ score, complete }: Replay): boolean => score >= COVERS && complete >= COMPLETE;

/** Follows the recorded calls of a task with a procedure. Nothing runs. */
export function replay(procedure: Procedure, experience: Experience, rare?: Rarity): Replay {
  const good = pathShapes(experience).filter(({ step }) => step.ok);
  const shapes = good.map(({ shape }) => shape);
  const templates = procedure.steps.map(templateShape);
  const pairs = alignment(templates, shapes, sameCall);
  const names = namesIn(experience.task);
  const wanted = new Set(procedure.slots.filter(({ from }) => from === 'task').map(({ name }) => name));
  let open = 0;
  let found = 0;
  for (const { left, right } of pairs) {
    const values = new Map(leavesOf(good[right]?.step.input));
    for (const [path, text] of leavesOf(procedure.steps[left]?.input)) {
      const slot = /^<([a-z][a-z0-9_]*)>$/.exec(String(text))?.[1];
      if (slot === undefined || !wanted.has(slot)) continue;
      open++;
      const value = String(values.get(path) ?? '').toLowerCase();
      if (names.has(value) || experience.task.toLowerCase().includes(value)) found++;
    }
  }
  const worth = (shape: StepShape | undefined) => (rare && shape ? rare.of(shape.key) ** 2 : 1);
  const whole = shapes.reduce((sum, shape) => sum + worth(shape), 0);
  const part = pairs.reduce((sum, { right }) => sum + worth(shapes[right]), 0);
  const covered = pairs.length / (templates.length || 1);
  const bound = open ? found / open : 1;
  return {
    experience: experience.id,
    covered,
    bound,
    complete: whole ? part / whole : 0,
    excess: templates.length - pairs.length,
    score: covered * (0.5 + 0.5 * bound),
  };
}
