import type { Experience, ExperienceStep, Skill } from '#spec/data';
import { generalise } from '../draft/generalise.ts';
import { commonPath, type CommonStep } from '../draft/common-path.ts';
import type { Procedure, ProcedureStep, Slot } from '../procedure/procedure.ts';
import { skillText, type SkillText } from '../procedure/skill-text.ts';
import { knownExperience } from '../similarity/known-experience.ts';
import { leavesOf } from '../similarity/step-shape.ts';
import { type Following, following, type Gap, sameError } from './follow.ts';

/** A change of a skill's file that follows from what happened when it was used. */
export interface Improvement {
  readonly action: 'repaired' | 'improved';
  readonly text: string;
  readonly why: string;
  readonly from: readonly string[];
}

interface Used {
  readonly experience: Experience;
  readonly following: Following;
}

/**
 * What the newest use of a skill asks for. Once is a note beside the step; as often as `after` with the same words is
 * another step. Nothing else of the text changes. `earlier` are uses before it, newest first.
 */
export function improve(
  skill: Skill,
  fileText: string,
  newest: Experience,
  earlier: readonly Experience[],
  after: number,
): Improvement | undefined {
  const editor = skillText(skill.form);
  const procedure = editor.read(fileText);
  if (!procedure) return undefined;
  const now: Used = { experience: newest, following: following(procedure, newest) };
  if (!now.following.followed) return undefined;
  const before = earlier
    .filter(({ success }) => success)
    .map((experience): Used => ({ experience, following: following(procedure, experience) }))
    .filter((used) => used.following.followed);
  let text = fileText;
  const notes: { action: Improvement['action']; why: string; from: string[] }[] = [];
  // From the last to the first, so that the places of those before stay right.
  for (const gap of now.following.gaps.toReversed()) {
    const change = changeFor(gap, now, before, procedure, editor, text, after);
    if (!change || change.text === text) continue;
    text = change.text;
    notes.push(change);
  }
  if (!notes.length) return undefined;
  return {
    action: notes.some(({ action }) => action === 'repaired') ? 'repaired' : 'improved',
    text,
    why: notes
      .map(({ why }) => why)
      .toReversed()
      .join('; '),
    from: [...new Set(notes.flatMap(({ from }) => from))],
  };
}

function changeFor(
  gap: Gap,
  now: Used,
  before: readonly Used[],
  procedure: Procedure,
  editor: SkillText,
  text: string,
  after: number,
) {
  const number = gap.at + 1;
  const tool = procedure.steps[gap.at]?.tool ?? '';
  const atEnd = gap.at === procedure.steps.length;
  if (!now.experience.success) {
    if (!gap.removed || gap.error === undefined) return undefined;
    const known = procedure.handlers.some(({ step }) => step === number);
    return known
      ? undefined
      : note(
          editor.addHandler(text, { step: number, error: gap.error, instead: [] }),
          'improved',
          `step ${number} (${tool}) failed`,
          [now],
        );
  }
  // Calls in between that were not needed for anything that failed are a matter of taste.
  if (!gap.removed && gap.error === undefined && !atEnd) return undefined;
  const agreeing = before.flatMap((used) => {
    const same = used.following.gaps.find(
      (other) => other.at === gap.at && other.removed === gap.removed && sameError(other.error, gap.error),
    );
    return same ? [{ used, gap: same }] : [];
  });
  const evidence = [{ used: now, gap }, ...agreeing.slice(0, 3)];
  const inPlace = evidence.length >= after ? stepsInPlace(evidence, procedure) : undefined;
  if (inPlace && (inPlace.steps.length || gap.removed)) {
    const withSlots = inPlace.slots.reduce((all, slot) => editor.addSlot(all, slot), text);
    const action = gap.error === undefined && !atEnd ? 'improved' : 'repaired';
    return note(
      editor.replaceSteps(withSlots, gap.at, gap.removed, inPlace.steps),
      action,
      whyChanged(gap, tool, inPlace.steps, evidence.length),
      evidence.map(({ used }) => used),
    );
  }
  return firstNote(gap, now, procedure, editor, text, tool);
}

const MOST_INSTEAD = 3;

/** What is written down the first time. */
function firstNote(gap: Gap, now: Used, procedure: Procedure, editor: SkillText, text: string, tool: string) {
  const number = gap.at + 1;
  if (gap.error === undefined) {
    if (!gap.removed || gap.extra.length) return undefined;
    const line = `Step ${number} (${tool}) was not needed once.`;
    return note(editor.addShortcut(text, line), 'improved', `done without step ${number} (${tool})`, [now]);
  }
  if (procedure.handlers.some(({ step }) => step === number) || !gap.extra.length) return undefined;
  const last = { ...gap, extra: gap.extra.slice(-MOST_INSTEAD) };
  const instead = stepsInPlace([{ used: now, gap: last }], procedure)?.steps ?? [];
  if (!instead.length) return undefined;
  return note(
    editor.addHandler(text, { step: number, error: gap.error, instead }),
    'improved',
    `step ${number} (${tool}) failed, ${instead.map((step) => step.tool).join(', ')} worked`,
    [now],
  );
}

const note = (text: string, action: Improvement['action'], why: string, used: readonly Used[]) => ({
  text,
  action,
  why,
  from: used.map(({ experience }) => experience.id),
});

function whyChanged(gap: Gap, tool: string, steps: readonly ProcedureStep[], times: number): string {
  const fresh = steps.map((step) => step.tool).join(', ');
  const number = gap.at + 1;
  if (!gap.removed) return `${fresh} was needed in addition ${times} times`;
  if (!steps.length) return `step ${number} (${tool}) was not needed ${times} times`;
  return `step ${number} (${tool}) ${gap.error === undefined ? 'was done otherwise' : 'failed'} ${times} times: ${fresh} in its place`;
}

/** The calls that the uses have in common where the procedure failed them, in the slots of the procedure. */
function stepsInPlace(
  evidence: readonly { readonly used: Used; readonly gap: Gap }[],
  procedure: Procedure,
): { readonly steps: readonly ProcedureStep[]; readonly slots: readonly Slot[] } | undefined {
  const tasks = evidence.map(({ used }) => used.experience.task);
  const shared: readonly CommonStep[] = commonPath(
    evidence.map(({ used, gap }) => knownExperience({ ...used.experience, path: [...gap.extra] })),
  );
  const anchors = procedure.steps.map(
    (_, at): CommonStep => ({
      calls: evidence.map(({ used }): ExperienceStep | undefined => used.following.calls[at]),
    }),
  );
  const there = anchors.flatMap((step, at) => (step.calls.some(Boolean) ? [{ step, at }] : []));
  const general = generalise([...there.map(({ step }) => step), ...shared], tasks);
  const names = new Map<string, string>();
  for (const [index, { at }] of there.entries()) {
    const fresh = new Map(leavesOf(general.steps[index]?.input));
    for (const [path, value] of leavesOf(procedure.steps[at]?.input)) {
      const [old, made] = [slotName(value), slotName(fresh.get(path))];
      if (old !== undefined && made !== undefined) names.set(made, old);
    }
  }
  const steps = general.steps
    .slice(there.length)
    .map(({ tool, input }) => ({ tool, input: renamed(input, names) }));
  const known = new Set(procedure.slots.map(({ name }) => name));
  const used = new Set(
    steps.flatMap(({ input }) => [...JSON.stringify(input).matchAll(SLOTS)].map(([, name]) => name)),
  );
  const slots = general.slots.filter(
    ({ name, from }) => used.has(name) && !names.has(name) && !known.has(name) && from !== 'result',
  );
  return { steps, slots };
}

const SLOTS = /<([a-z][a-z0-9_]*)>/g;
const slotName = (value: unknown): string | undefined => /^<([a-z][a-z0-9_]*)>$/.exec(String(value))?.[1];

const renamed = (input: unknown, names: ReadonlyMap<string, string>): unknown =>
  JSON.parse(
    JSON.stringify(input).replaceAll(SLOTS, (_: string, name: string) => `<${names.get(name) ?? name}>`),
  );
