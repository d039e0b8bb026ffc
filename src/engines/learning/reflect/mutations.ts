import type { Experience } from '#spec/data';
import { replaceSteps, addLine } from '../procedure/edit-document.ts';
import { examplesIn, withoutExamples } from '../procedure/examples.ts';
import { editFront } from '../procedure/front-matter.ts';
import { quotable } from '../procedure/write-lines.ts';
import { taskTerms } from '../similarity/known-experience.ts';
import { alignment, pathShapes, sameCall, templateShape } from '../similarity/step-shape.ts';
import { slottedTask } from '../draft/slotted-task.ts';
import type { Candidate } from './evaluate.ts';

/** What the recorded tasks say about a skill. */
export interface Traces {
  /** Tasks that are done as it says. */
  readonly own: readonly Experience[];
  /** Those of them for which it did not fire. */
  readonly missed: readonly Experience[];
  /** Tasks of other kinds for which it fired. */
  readonly wrong: readonly Experience[];
}

export interface Mutation {
  readonly what: string;
  readonly text: string;
}

const MOST_MISSED = 2;
const LEAST_EXAMPLES = 2;

/** Changes that the traces suggest, each small and by itself. Deterministic: no model is asked. */
export function mutations(candidate: Candidate, traces: Traces): Mutation[] {
  return [
    ...droppedSteps(candidate, traces.own),
    ...swappedSteps(candidate, traces.own),
    ...sharpened(candidate, traces.missed),
    ...tightened(candidate, traces.wrong),
  ].filter(({ text }) => text !== candidate.text);
}

/** Without a step that several of its tasks did without. */
function droppedSteps({ text, procedure }: Candidate, own: readonly Experience[]): Mutation[] {
  const templates = procedure.steps.map(templateShape);
  const without = templates.map(() => 0);
  for (const shapes of own.map(goodShapes)) {
    const met = new Set(alignment(templates, shapes, sameCall).map(({ left }) => left));
    for (const at of templates.keys()) if (!met.has(at)) without[at] = (without[at] ?? 0) + 1;
  }
  return without.flatMap((times, at) =>
    times >= 2 && templates.length > 2
      ? [{ what: `drop step ${at + 1}`, text: replaceSteps(text, at, 1, []) }]
      : [],
  );
}

const goodShapes = (experience: Experience) =>
  pathShapes(experience)
    .filter(({ step }) => step.ok)
    .map(({ shape }) => shape);

/** With two neighbours the other way round, where most of its tasks did them so. */
function swappedSteps({ text, procedure }: Candidate, own: readonly Experience[]): Mutation[] {
  const templates = procedure.steps.map(templateShape);
  return procedure.steps.slice(1).flatMap((second, index) => {
    const first = procedure.steps[index];
    const [a, b] = [templates[index], templates[index + 1]];
    if (!first || !a || !b) return [];
    const reversed = own.map(goodShapes).filter((shapes) => {
      const [atA, atB] = [a, b].map((wanted) => shapes.findIndex((shape) => sameCall(wanted, shape) > 0));
      return atA !== undefined && atB !== undefined && atB >= 0 && atA > atB;
    });
    if (reversed.length * 2 <= own.length) return [];
    const what = `swap steps ${index + 1} and ${index + 2}`;
    return [{ what, text: replaceSteps(text, index, 2, [second, first]) }];
  });
}

/** With the words of tasks that it missed. */
function sharpened({ text, skill }: Candidate, missed: readonly Experience[]): Mutation[] {
  if (!missed.length) return [];
  const words = missed.slice(-MOST_MISSED).map(({ task }) => quotable(slottedTask(task, new Map()), 160));
  const longer = words.filter(Boolean).reduce((all, line) => addLine(all, 'when', `- ${line}`), text);
  const said = taskTerms(skill.description);
  const fresh = words.flatMap((line) => [...taskTerms(line)].filter((term) => !said.has(term)));
  const description = `${skill.description} Also: ${words.join('; ')}.`.slice(0, 600);
  const mutation = { what: `add the words of ${words.length} missed tasks`, text: longer };
  return fresh.length
    ? [
        mutation,
        { what: 'describe it with the words of missed tasks', text: editFront(longer, { description }) },
      ]
    : [mutation];
}

/** Without the examples that drew tasks of other kinds. */
function tightened({ text, skill }: Candidate, wrong: readonly Experience[]): Mutation[] {
  if (!wrong.length) return [];
  const examples = examplesIn(text);
  const drawn = new Set(wrong.flatMap(({ task }) => [...taskTerms(task)]));
  const share = (line: string) => {
    const terms = [...taskTerms(line)];
    return terms.filter((term) => drawn.has(term)).length / (terms.length || 1);
  };
  const worst = examples.toSorted((a, b) => share(b) - share(a))[0];
  if (worst === undefined || examples.length <= LEAST_EXAMPLES || share(worst) < 0.4) return [];
  const left = examples.filter((line) => line !== worst);
  const shorter = withoutExamples(text, new Set([worst]));
  const description = skill.description.includes(worst)
    ? `Use when asked to: ${left.slice(0, 3).join('; ')}.`
    : skill.description;
  return [{ what: 'take out the example that drew other tasks', text: editFront(shorter, { description }) }];
}
