import type { Skill } from '#spec/data';
import { procedureOf } from '../procedure/skill-text.ts';
import { taskTerms } from '../similarity/known-experience.ts';
import { alignment, sameCall, templateShape } from '../similarity/step-shape.ts';

const SAME_STEPS = 0.85;
const SAME_WORDS = 0.3;
const SAME_TEXT = 0.85;

/** Pairs of skills of one form that say the same: nearly the same steps for like tasks, or nearly the same words. */
export function duplicates(skills: readonly Skill[]): (readonly [Skill, Skill])[] {
  const known = skills.map((skill) => ({
    skill,
    steps: procedureOf(skill)?.steps.map(templateShape),
    about: taskTerms(`${skill.name} ${skill.description}`),
    words: taskTerms(skill.body),
  }));
  return known.flatMap((a, at) =>
    known.slice(at + 1).flatMap((b) => {
      if (a.skill.form !== b.skill.form) return [];
      const about = overlap(a.about, b.about);
      const same =
        a.steps && b.steps
          ? likeSteps(a.steps, b.steps) >= SAME_STEPS && about >= SAME_WORDS
          : !a.steps && !b.steps && overlap(a.words, b.words) >= SAME_TEXT;
      return same ? [[a.skill, b.skill] as const] : [];
    }),
  );
}

type Steps = ReturnType<typeof templateShape>[];

const likeSteps = (a: Steps, b: Steps): number =>
  alignment(a, b, sameCall).reduce((sum, pair) => sum + pair.likeness, 0) / Math.max(a.length, b.length, 1);

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared / (Math.min(a.size, b.size) || 1);
}
