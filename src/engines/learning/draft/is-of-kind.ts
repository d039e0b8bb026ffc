import type { Experience, Skill } from '#spec/data';
import type { Procedure } from '../procedure/procedure.ts';
import type { Clusters } from '../similarity/experience-clusters.ts';
import { isDoneBy, replay } from './replay.ts';

/** A task of a skill's own kind that went another way in part, as after a change of the world, is still for it. */
const HALF = 0.5;

/**
 * How far a task that was done belongs to a skill, 0 when it does not: it was done as the skill says, or it is of the
 * kind that the skill was learned from and went at least half that way.
 */
export function isOfKind(
  { createdFrom }: Pick<Skill, 'createdFrom'>,
  procedure: Procedure | undefined,
  experience: Experience,
  clusters: Clusters,
): number {
  const from = new Set(createdFrom);
  const kin = clusters.of(experience.id)?.members.some((member) => from.has(member.experience.id)) ?? false;
  if (!procedure) return kin ? 1 : 0;
  const done = replay(procedure, experience, clusters.rarities.steps);
  return isDoneBy(done) || (kin && done.score >= HALF) ? done.score + done.complete : 0;
}
