import type { Skill } from '#spec/data';
import type { SkillMatch } from '#spec/ports';
import { isOfKind } from './draft/is-of-kind.ts';
import { workflowName } from './draft/write-workflow.ts';
import type { LearningState } from './learning-state.ts';
import { isName, namesIn } from './experience/tokens-of.ts';
import { examplesIn } from './procedure/examples.ts';
import { procedureOf } from './procedure/skill-text.ts';
import type { Clusters, Neighbour } from './similarity/experience-clusters.ts';
import { taskTerms } from './similarity/known-experience.ts';

/** Past tasks that have a say in which skill is meant. */
const NEIGHBOURS = 6;
/** A learned skill is offered when it, or a past task that was done its way, says this much of what the task says. */
const LEAST = 0.25;
/** Without the library having found it, past tasks alone must say more. */
const ALONE = 0.3;

/**
 * Of skills that fit a message by their texts, those that past tasks speak for too; and one that only they speak for.
 * Demoted ones are left out, and of a document and a workflow that are one skill, the form that is preferred stays.
 */
export async function offer(
  state: LearningState,
  matches: readonly SkillMatch[],
  text: string,
  prefer: Skill['form'],
): Promise<readonly SkillMatch[]> {
  const demoted = await state.marks.demoted();
  const isOffered = ({ name }: Skill) => !Object.hasOwn(demoted, name);
  const own = (await state.deps.shelf.all()).filter((skill) => skill.trust === 'own' && isOffered(skill));
  const near = state.clusters.nearest(text, NEIGHBOURS);
  const voices = new Map(own.map((skill) => [skill.name, voiceFor(skill, near, state.clusters)]));
  const fits = matches.filter(({ skill }) => {
    if (!isOffered(skill)) return false;
    const voice = voices.get(skill.name);
    if (!voice) return true;
    const said = Math.max(voice.support, covered(state, skill, text));
    return said >= LEAST && voice.support >= voice.rival && namesInputs(skill, text);
  });
  const known = new Set(fits.map(({ skill }) => skill.name));
  const alone = own.flatMap((skill): SkillMatch[] => {
    const voice = voices.get(skill.name);
    if (!voice?.task || known.has(skill.name) || !namesInputs(skill, text)) return [];
    if (voice.support < ALONE || voice.support < voice.rival) return [];
    return [{ skill, score: voice.support, because: [voice.task] }];
  });
  return oneForm([...fits, ...alone], prefer);
}

/** How much past tasks that were done a skill's way have in common with a new one, and how much others have. */
function voiceFor(skill: Skill, near: readonly Neighbour[], clusters: Clusters) {
  const procedure = procedureOf(skill);
  let [support, rival] = [0, 0];
  let task: string | undefined;
  for (const { experience, likeness } of near) {
    if (!isOfKind(skill, procedure, experience, clusters)) rival = Math.max(rival, likeness);
    else if (likeness > support) [support, task] = [likeness, experience.task];
  }
  return { support, rival, task };
}

/** How much of what a task says stands in the skill's own examples, by what words are worth among past tasks. */
function covered({ clusters }: LearningState, skill: Skill, text: string): number {
  const said = new Set(
    [skill.description, ...examplesIn(skill.body)].flatMap((line) => [...taskTerms(line)]),
  );
  const { worth } = clusters.rarities.terms;
  const asked = [...taskTerms(text)];
  const sum = (terms: readonly string[]) => terms.reduce((all, term) => all + worth(term), 0);
  return sum(asked.filter((term) => said.has(term))) / (sum(asked) || 1);
}

/** Whether a message names things that look like what the skill takes from it. */
function namesInputs(skill: Skill, text: string): boolean {
  const wanted = procedureOf(skill)?.slots ?? [];
  const there = new Set([...namesIn(text)].filter(isName).map(lookOf));
  return wanted.every(
    ({ from, example }) => from !== 'task' || !isName(example) || there.has(lookOf(example)),
  );
}

/** `node-17` and `rack-203` look alike, `cart-svc` does not. */
const lookOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[a-z]+/g, 'a')
    .replaceAll(/\d+/g, '0');

function oneForm(matches: readonly SkillMatch[], prefer: Skill['form']): readonly SkillMatch[] {
  const preferred = matches.filter(({ skill }) => skill.form === prefer);
  const names = new Set(preferred.map(({ skill }) => workflowName(skill.name)));
  return matches.filter(({ skill }) => skill.form === prefer || !names.has(workflowName(skill.name)));
}
