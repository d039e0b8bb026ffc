import type { Experience, Skill, SkillUse } from '#spec/data';
import type { Procedure } from '../procedure/procedure.ts';
import { replay } from '../draft/replay.ts';
import type { Rarity } from '../similarity/rarity.ts';
import { taskTerms } from '../similarity/known-experience.ts';
import { following } from './follow.ts';

const WORKED = 0.5;
/** A skill that is less than this share of what was done was not how it was done. */
const LEAST_PART = 0.34;
/** A skill that saves less than this share of the calls has not helped. */
const SAVED = 0.1;

/**
 * What came of using a skill. It counts as a success when the task did, most of its steps worked, they were a good part of what was done, most calls did not fail, and it did not cost
 * more than the same kind of task without it (`usual` calls, where that is known).
 */
export function judgeUse(
  experience: Experience & { readonly skill: { readonly name: string; readonly version: string } },
  procedure: Procedure | undefined,
  usual: number | undefined,
  rare?: Rarity,
): Omit<SkillUse, 'id'> {
  const { skill, success, path, calls, tokens, durationMs, at } = experience;
  const use = {
    skill: skill.name,
    version: skill.version,
    experience: experience.id,
    calls,
    tokens,
    durationMs,
    at,
  };
  // A workflow runs its own steps: whether it went well is all there is to know.
  if (experience.kind === 'workflow') return { ...use, success, followed: true };
  const went = procedure ? following(procedure, experience) : undefined;
  const part = procedure && replay(procedure, experience, rare).complete;
  const dear = usual !== undefined && calls > usual * (1 - SAVED);
  const astray = path.filter(({ ok }) => !ok).length * 2 > path.length;
  return {
    ...use,
    success: success && !dear && !astray && (part ?? 1) >= LEAST_PART && (went?.worked ?? 1) >= WORKED,
    followed: went?.followed ?? true,
  };
}

const SAME_TOPIC = 0.34;

/** Whether a task is one that the skill says it is for, by the words alone. */
export function isMeantFor(skill: Pick<Skill, 'description' | 'body'>, task: string): boolean {
  const asked = [...taskTerms(task)];
  const said = new Set([...taskTerms(skill.description), ...taskTerms(whenToUse(skill.body))]);
  return asked.filter((term) => said.has(term)).length >= asked.length * SAME_TOPIC;
}

function whenToUse(body: string): string {
  const start = body.indexOf('## When to use');
  if (start < 0) return '';
  const end = body.indexOf('\n## ', start + 4);
  return body.slice(start, end < 0 ? undefined : end);
}
