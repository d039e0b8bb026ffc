import type { Experience, ExperienceStep } from '#spec/data';
import type { Procedure } from '../procedure/procedure.ts';
import { alignment, pathShapes, sameCall, templateShape } from '../similarity/step-shape.ts';

/** A stretch in which a task went another way than the procedure says. */
export interface Gap {
  /** The first step concerned, counted from 0; without removed steps, the one before which something was added. */
  readonly at: number;
  /** Steps of the procedure that did not work or were left out. */
  readonly removed: number;
  /** How one of them, or the step after, failed first; undefined where none did. */
  readonly error: string | undefined;
  /** Calls that worked here and are not in the procedure. */
  readonly extra: readonly ExperienceStep[];
}

/** What became of a procedure in one task. */
export interface Following {
  /** Whether it was set out on: its first step, or half of it, was tried. */
  readonly followed: boolean;
  /** Share of its steps that worked, from 0 to 1. */
  readonly worked: number;
  readonly gaps: readonly Gap[];
  /** The calls that stand for its steps, by place; undefined for those that did not work. */
  readonly calls: readonly (ExperienceStep | undefined)[];
}

const FAILED_WORTH = 0.6;

export function following(procedure: Procedure, experience: Experience): Following {
  const templates = procedure.steps.map(templateShape);
  const tried = pathShapes(experience);
  const pairs = alignment(
    templates,
    tried,
    (template, { step, shape }) => sameCall(template, shape) * (step.ok ? 1 : FAILED_WORTH),
  );
  const worked = pairs.filter(({ right }) => tried[right]?.step.ok);
  const anchors = [{ left: -1, right: -1 }, ...worked, { left: templates.length, right: tried.length }];
  const gaps = anchors.slice(1).flatMap((next, index): Gap[] => {
    const before = anchors[index] as { left: number; right: number };
    const between = tried.slice(before.right + 1, next.right);
    const extra = between.filter(({ step }) => step.ok).map(({ step }) => step);
    const concerned = templates.slice(before.left + 1, next.left + 1);
    const failed = between.find(
      ({ step, shape }) => !step.ok && concerned.some((template) => sameCall(template, shape) > 0),
    );
    const gap = {
      at: before.left + 1,
      removed: next.left - before.left - 1,
      error: failed?.step.summary,
      extra,
    };
    return gap.removed || extra.length ? [gap] : [];
  });
  const calls = templates.map((_, at) => tried[worked.find(({ left }) => left === at)?.right ?? -1]?.step);
  return {
    followed: pairs.some(({ left }) => left === 0) || pairs.length * 2 >= templates.length,
    worked: worked.length / templates.length,
    gaps,
    calls,
  };
}

/** Whether two errors are of one kind: the same words once names and numbers are gone. */
export function sameError(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const words = (text: string) =>
    new Set(
      text
        .toLowerCase()
        .match(/\p{L}{3,}/gu)
        ?.filter((word) => !/\d/.test(word)) ?? [],
    );
  const [left, right] = [words(a), words(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared * 2 >= Math.max(left.size, right.size);
}
