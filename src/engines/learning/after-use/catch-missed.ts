import type { Experience } from '#spec/data';
import { coveringSkill } from '../draft/covering.ts';
import { withoutFrame } from '../draft/without-frame.ts';
import { slottedTask } from '../draft/slotted-task.ts';
import type { LearnEvent } from '../learn-event.ts';
import type { LearningState } from '../learning-state.ts';
import { addLine } from '../procedure/edit-document.ts';
import { examplesIn } from '../procedure/examples.ts';
import type { Procedure } from '../procedure/procedure.ts';
import { readProcedure } from '../procedure/read-procedure.ts';
import { quotable } from '../procedure/write-lines.ts';
import { knownExperience } from '../similarity/known-experience.ts';
import { alignment, leavesOf, pathShapes, sameCall, templateShape } from '../similarity/step-shape.ts';

const MOST_EXAMPLES = 12;

/** A task was done as a learned skill says, but the skill did not fire: it gets the words that it missed. */
export async function catchMissed(state: LearningState, experience: Experience): Promise<LearnEvent[]> {
  const { shelf } = state.deps;
  if (!state.settings.repair || experience.skill || !experience.success) return [];
  const own = (await state.offered()).filter(({ trust, form }) => trust === 'own' && form === 'document');
  const skill = coveringSkill(own, [knownExperience(experience)], state.clusters);
  if (!skill) return [];
  const [first] = await shelf.match(experience.task, { limit: 1 });
  if (first?.skill.name === skill.name) return [];
  const text = await state.textOf(skill);
  const procedure = text === undefined ? undefined : readProcedure(text);
  if (text === undefined || !procedure || examplesIn(text).length >= MOST_EXAMPLES) return [];
  const example = withoutFrame(exampleOf(experience, procedure), state.clusters.rarities.terms);
  const longer = example ? addLine(text, 'when', `- ${example}`) : text;
  if (longer === text) return [];
  const why = `it did not fire for: ${example}`;
  const changes = [{ path: skill.path, text: longer }];
  const common = { action: 'improved', skill: skill.name, by: 'learning', from: [experience.id] } as const;
  return [await state.change({ ...common, changes, why }, 'improved')];
}

/** The task with the names of the skill's inputs in the place of their values. */
function exampleOf({ task, path }: Experience, procedure: Procedure): string {
  const good = pathShapes({ path, task }).filter(({ step }) => step.ok);
  const pairs = alignment(
    procedure.steps.map(templateShape),
    good.map(({ shape }) => shape),
    sameCall,
  );
  const values = new Map<string, string>();
  for (const { left, right } of pairs) {
    const made = new Map(leavesOf(good[right]?.step.input));
    for (const [leaf, template] of leavesOf(procedure.steps[left]?.input)) {
      const slot = /^<([a-z][a-z0-9_]*)>$/.exec(String(template))?.[1];
      const value = made.get(leaf);
      if (slot !== undefined && value !== undefined) values.set(slot, String(value));
    }
  }
  // What is quotable has no marks of slots any more: they are put back as words.
  return quotable(slottedTask(task, values).replaceAll(/<([a-z][a-z0-9_]*)>/g, 'some $1'), 160);
}
