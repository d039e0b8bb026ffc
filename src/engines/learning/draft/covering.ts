import type { Skill } from '#spec/data';
import { procedureOf } from '../procedure/skill-text.ts';
import type { KnownExperience } from '../similarity/known-experience.ts';
import type { Clusters } from '../similarity/experience-clusters.ts';
import { isOfKind } from './is-of-kind.ts';

const NAMES_TOOLS = 0.6;

/** The skill that does tasks of this kind already, if one does. */
export function coveringSkill(
  skills: readonly Skill[],
  members: readonly KnownExperience[],
  clusters: Clusters,
): Skill | undefined {
  let best: Skill | undefined;
  let most = 0;
  for (const skill of skills) {
    const procedure = procedureOf(skill);
    const parts = members.map(({ experience }) => isOfKind(skill, procedure, experience, clusters));
    const done = parts.filter((part) => part > 0);
    const covers = done.length * 2 > members.length || (!procedure && namesTools(skill, members));
    const worth = done.reduce((sum, part) => sum + part, 0) || 1;
    if (covers && worth > most) [best, most] = [skill, worth];
  }
  return best;
}

/** A skill in free words covers what its reader did with it, when it names most of the tools. */
function namesTools(skill: Skill, members: readonly KnownExperience[]): boolean {
  const users = members.filter(({ experience }) => experience.skill?.name === skill.name);
  if (users.length * 2 <= members.length) return false;
  const tools = [...new Set(members.flatMap(({ steps }) => steps.map(({ tool }) => tool)))];
  return tools.filter((tool) => skill.body.includes(tool)).length >= tools.length * NAMES_TOOLS;
}
