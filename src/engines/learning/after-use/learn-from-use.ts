import type { Experience, Skill, SkillUse } from '#spec/data';
import type { LearnEvent } from '../learn-event.ts';
import type { LearningState } from '../learning-state.ts';
import { skillText } from '../procedure/skill-text.ts';
import { tally, worseThan } from './compare-versions.ts';
import { improve } from './improve.ts';
import { isMeantFor, judgeUse } from './judge-use.ts';

type Used = Experience & { readonly skill: { readonly name: string; readonly version: string } };

const LOOKED_BACK = 8;
const COMPARED = 5;
/** Tasks without a skill that say what is usual. */
const LEAST_USUAL = 2;

/** Records what came of using a skill, and changes, takes back or demotes it where that follows. */
export async function learnFromUse(state: LearningState, experience: Used): Promise<LearnEvent[]> {
  const { history, shelf } = state.deps;
  const skill = (await shelf.all()).find(({ name }) => name === experience.skill.name);
  const text = skill && (await state.textOf(skill));
  const procedure = skill && text !== undefined ? skillText(skill.form).read(text) : undefined;
  const use = judgeUse(experience, procedure, usualCalls(state, experience), state.clusters.rarities.steps);
  // One use for each experience, also when it is judged again.
  await history.addUse({ ...use, id: `use_${experience.id}` });
  if (!skill || text === undefined) return [];
  // First what a change of ours spoiled: the skill itself may be good.
  const taken = await rollBack(state, skill);
  if (taken) return [taken];
  const demoted = await demote(state, skill);
  if (demoted) return [demoted];
  if (!state.settings.repair || !mayChange(skill) || (await tooFew(state, skill))) return [];
  return change(state, skill, text, experience);
}

/** What Hermes wrote itself, and what a user wrote and lets it change. */
const mayChange = ({ trust, root, improvement }: Skill): boolean =>
  trust === 'own' || (trust === 'user' && root === 'home' && improvement !== undefined);

/** A user may want more to be seen before anything is changed. */
async function tooFew({ deps }: LearningState, { name, trust, improvement }: Skill): Promise<boolean> {
  if (trust === 'own' || !improvement) return false;
  const { minSamples } = improvement;
  return (await deps.history.uses({ skill: name, limit: minSamples })).length < minSamples;
}

/** What tasks of the same kind cost without a skill. */
function usualCalls({ clusters }: LearningState, { id }: Experience): number | undefined {
  const plain =
    clusters.of(id)?.members.filter(({ experience }) => experience.id !== id && !experience.skill) ?? [];
  if (plain.length < LEAST_USUAL) return undefined;
  return plain.reduce((sum, { experience }) => sum + experience.calls, 0) / plain.length;
}

async function change(
  state: LearningState,
  skill: Skill,
  text: string,
  experience: Used,
): Promise<LearnEvent[]> {
  const { experiences } = state.deps;
  const before = (await experiences.list({ skill: skill.name, limit: LOOKED_BACK })).filter(
    ({ id, at }) => id !== experience.id && at <= experience.at,
  );
  const better = improve(skill, text, experience, before, state.settings.repairAfter);
  if (!better || (await state.marks.takenBack(skill.name)).includes(better.why)) return [];
  const { action, why, from } = better;
  const changes = [{ path: skill.path, text: better.text }];
  const asks = skill.trust !== 'own' && skill.improvement?.confirm ? { confirm: true } : {};
  const wanted = { action, skill: skill.name, changes, why, by: 'learning', from, ...asks } as const;
  return [await state.change(wanted, action)];
}

/** Stops offering a skill that keeps not helping with tasks that it is for. Nothing is removed. */
async function demote(state: LearningState, skill: Skill): Promise<LearnEvent | undefined> {
  const { settings, marks, deps } = state;
  const uses = await deps.history.uses({ skill: skill.name, limit: settings.demoteAfter });
  if (uses.length < settings.demoteAfter || uses.some(({ success }) => success)) return undefined;
  const tasks = await deps.experiences.list({
    ids: uses.map(({ experience }) => experience),
    limit: uses.length,
  });
  if (skill.trust === 'own' && !tasks.every(({ task }) => isMeantFor(skill, task))) return undefined;
  if ((await marks.pinned()).includes(skill.name)) return undefined;
  const why = `it did not help in its last ${uses.length} uses`;
  const at = deps.now();
  const edit = {
    id: state.newId('edit'),
    action: 'demoted',
    skill: skill.name,
    why,
    by: 'learning',
    at,
  } as const;
  await deps.history.addEdit({ ...edit, before: [], after: [], undone: false });
  await marks.setDemoted(skill.name, { why, at });
  return { kind: 'demoted', skill: skill.name, why, edit: edit.id };
}

/** Puts the text of the version before back when the newest one does worse. */
async function rollBack(state: LearningState, skill: Skill): Promise<LearnEvent | undefined> {
  const { history } = state.deps;
  if (!mayChange(skill)) return undefined;
  const [now, before] = await history.versions(skill.name);
  if (!now || !before || now.version !== skill.version || before.state === 'rolled_back') return undefined;
  const uses = await history.uses({ skill: skill.name, limit: 100 });
  const older = uses.filter(({ version }) => version !== now.version).slice(0, COMPARED);
  const newer: readonly SkillUse[] = uses.filter(({ version }) => version === now.version);
  const worse = worseThan(tally(newer), tally(older), state.settings.leastUses);
  if (worse === undefined) return undefined;
  await state.marks.takeBack(skill.name, now.why);
  const changes = [{ path: skill.path, text: before.text }];
  const taken = await state.change(
    { action: 'rolled_back', skill: skill.name, changes, why: worse, by: 'learning' },
    'rolled_back',
  );
  if (taken.kind === 'rolled_back') await history.putVersion({ ...now, state: 'rolled_back' });
  return taken;
}
