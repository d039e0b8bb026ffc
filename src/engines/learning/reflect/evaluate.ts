import type { Experience, Skill } from '#spec/data';
import type { SkillMatch } from '#spec/ports';
import { isOfKind } from '../draft/is-of-kind.ts';
import { replay } from '../draft/replay.ts';
import type { Clusters } from '../similarity/experience-clusters.ts';
import type { Procedure } from '../procedure/procedure.ts';

/** A skill with a text that it has, or might have. */
export interface Candidate {
  readonly skill: Skill;
  readonly text: string;
  readonly procedure: Procedure;
}

/** A recorded task, and the skill that does it; undefined where none should fire. */
export interface Trial {
  readonly experience: Experience;
  readonly right: string | undefined;
}

export type Select = (task: string) => Promise<readonly Pick<SkillMatch, 'skill'>[]>;

const SELECTION = 0.6;
const PATH = 0.4;
const SILENT_INSTEAD = 0.3;
const NEEDLESS = 0.05;

/** Which skill a task should have: the one whose steps are how it was done. */
export function rightSkill(
  candidates: readonly Candidate[],
  experience: Experience,
  clusters: Clusters,
): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const { skill, procedure } of candidates) {
    const worth = isOfKind(skill, procedure, experience, clusters);
    if (worth > most) [best, most] = [skill.name, worth];
  }
  return best;
}

/**
 * What a set of skills would have been worth in each task, from 0 to 1: whether the right one fires and others keep
 * silent, and how much of the way it knows. Nothing runs.
 */
export async function evaluate(
  candidates: readonly Candidate[],
  trials: readonly Trial[],
  select: Select | undefined,
): Promise<number[]> {
  const ours = new Map(candidates.map((candidate) => [candidate.skill.name, candidate]));
  return Promise.all(
    trials.map(async ({ experience, right }) => {
      const fired = select ? (await select(experience.task))[0]?.skill.name : right;
      const known = right === undefined ? undefined : ours.get(right);
      if (!known) return fired === undefined || !ours.has(fired) ? 1 : 0;
      const chosen = fired === right ? 1 : fired === undefined ? SILENT_INSTEAD : 0;
      const { covered, excess } = replay(known.procedure, experience);
      return SELECTION * chosen + PATH * Math.max(0, covered - NEEDLESS * excess);
    }),
  );
}

export const sumOf = (scores: readonly number[]): number => scores.reduce((sum, score) => sum + score, 0);

/** Those that no other one equals everywhere and beats somewhere. */
export function paretoFront<T extends { readonly scores: readonly number[] }>(all: readonly T[]): T[] {
  const beats = (a: readonly number[], b: readonly number[]) =>
    a.every((score, at) => score >= (b[at] ?? 0)) && a.some((score, at) => score > (b[at] ?? 0));
  return all.filter((one) => !all.some((other) => beats(other.scores, one.scores)));
}
