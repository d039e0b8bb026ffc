import { nearest } from '#kit/nearest';
import { RESERVED_NAMES } from '../file/read-workflow.ts';
import type { Workflow, WorkflowStep } from '../file/workflow.ts';
import type { NamedPath } from '../template/template-roots.ts';
import { outputKeys, workflowArguments } from './implied-arguments.ts';
import { CLOCK_NAMES, type Readers, requirementPaths, stepPaths } from './references.ts';

/** Something wrong with what a workflow says, whatever tools there are. `place` leads to it in the file. */
export interface StructureProblem {
  readonly place: readonly (string | number)[];
  readonly problem: string;
  readonly fix: string;
}

/** Texts that cannot be read, names that nothing makes or that come too late, and steps that wait for each other. */
export function structureProblems(workflow: Workflow, readers: Readers): readonly StructureProblem[] {
  const problems: StructureProblem[] = [];
  const read = (place: StructureProblem['place'], what: string, paths: () => readonly NamedPath[]) => {
    try {
      return paths();
    } catch (error) {
      problems.push({ place, problem: `${what}: ${(error as Error).message}`, fix: 'See docs/workflows.md' });
      return [];
    }
  };
  const perStep = workflow.steps.map((step, i) => ({
    step,
    place: ['execution', 'steps', i],
    paths: read(['execution', 'steps', i], titleOf(step), () => stepPaths(step, readers)),
  }));
  const handled = Object.entries(workflow.errorHandling).flatMap(([name, { steps }]) =>
    steps.map((step) => ({
      place: ['error_handling', name],
      what: titleOf(step),
      paths: read(['error_handling', name], titleOf(step), () => stepPaths(step, readers)),
    })),
  );
  const others = [
    ...handled,
    ...checkPaths(workflow, readers, read),
    ...endingPaths(workflow, readers, read),
  ];
  if (problems.length > 0) return problems;

  const outputs = outputKeys(workflow);
  const names = workflowArguments(workflow, readers).map(({ name }) => name);
  const always = [...names, ...CLOCK_NAMES, ...RESERVED_NAMES];
  const handlerKeys = outputs.slice(workflow.steps.filter(({ outputKey }) => outputKey).length);
  const before = new Set<string>([...always, ...handlerKeys]);
  for (const { step, place, paths } of perStep) {
    for (const { parts } of paths) {
      const [root = ''] = parts;
      if (before.has(root)) continue;
      problems.push({ place, ...unmade(step, parts.join('.'), root, workflow, [...before]) });
    }
    if (step.outputKey) before.add(step.outputKey);
  }
  for (const { place, what, paths } of others) {
    for (const { parts } of paths) {
      const [root = ''] = parts;
      if (before.has(root)) continue;
      problems.push({
        place,
        problem: `${what}: nothing makes '${parts.join('.')}'`,
        fix: fixFor(root, [...before]),
      });
    }
  }
  return [...problems, ...cycles(perStep)];
}

type Read = (
  place: StructureProblem['place'],
  what: string,
  paths: () => readonly NamedPath[],
) => readonly NamedPath[];

function checkPaths(workflow: Workflow, readers: Readers, read: Read) {
  return (['preconditions', 'postconditions'] as const).flatMap((key) =>
    workflow[key].map((requirement, i) => {
      const paths = read([key, i], key, () => requirementPaths(requirement, readers));
      // A check that names an argument which nobody gave cannot be made, and says so in the run.
      return { place: [key, i], what: key, paths: paths.filter(({ parts }) => parts.length > 1) };
    }),
  );
}

function endingPaths(workflow: Workflow, readers: Readers, read: Read) {
  const { template, onSuccess, onFailure } = workflow.output;
  const notices = [...onSuccess.notify, ...onFailure.notify];
  const place = ['output'];
  return [
    ...(template === undefined
      ? []
      : [{ what: 'output.template', read: () => readers.templates.paths(template) }]),
    ...notices.flatMap(({ condition, message }) => [
      { what: 'notify.message', read: () => readers.templates.paths(message) },
      { what: 'notify.condition', read: () => (condition ? readers.conditions.paths(condition) : []) },
    ]),
  ].map(({ what, read: paths }) => ({ place, what, paths: read(place, what, paths) }));
}

/** The same words in whatever language the file was read. */
const titleOf = ({ id, names }: WorkflowStep): string => `step ${id} '${names[0]}'`;

function unmade(
  step: WorkflowStep,
  path: string,
  root: string,
  workflow: Workflow,
  known: readonly string[],
) {
  const maker = workflow.steps.find(({ outputKey }) => outputKey === root);
  if (maker?.id === step.id) {
    return {
      problem: `${titleOf(step)} names its own output '${path}'`,
      fix: 'Name the output of an earlier step',
    };
  }
  if (maker) {
    return {
      problem: `${titleOf(step)} names '${path}', which ${titleOf(maker)} makes only afterwards`,
      fix: `Move ${titleOf(maker)} before it`,
    };
  }
  return {
    problem: `${titleOf(step)} names '${path}', and no earlier step makes '${root}'`,
    fix: fixFor(root, known),
  };
}

function fixFor(root: string, known: readonly string[]): string {
  const meant = nearest(root, known);
  return meant
    ? `Did you mean '${meant}'?`
    : `Give a step \`output_key: ${root}\`, or declare it under \`arguments\``;
}

/** Steps that each need what another of them makes: no order could run them. */
function cycles(
  steps: readonly {
    readonly step: WorkflowStep;
    readonly place: readonly (string | number)[];
    readonly paths: readonly NamedPath[];
  }[],
): readonly StructureProblem[] {
  const makers = new Map(steps.flatMap(({ step }) => (step.outputKey ? [[step.outputKey, step.id]] : [])));
  const needs = new Map(
    steps.map(({ step, paths }) => [
      step.id,
      paths.flatMap(({ parts: [root = ''] }) => makers.get(root) ?? []),
    ]),
  );
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    (needs.get(from) ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  const inside = steps.filter(({ step }) => reaches(step.id, step.id, new Set()));
  const [first] = inside;
  if (!first || inside.length < 2) return [];
  const named = inside.map(({ step }) => titleOf(step)).join(', ');
  return [
    { place: first.place, problem: `These steps wait for each other: ${named}`, fix: 'Break the circle' },
  ];
}
