import { toErrorRecord } from '#kit/app-error';
import { nearest } from '#kit/nearest';
import { isCalled, type Workflow } from '../file/workflow.ts';
import { workflowArguments } from '../plan/implied-arguments.ts';
import { memoryKeys, type Readers } from '../plan/references.ts';
import { resolveArguments } from '../plan/resolve-arguments.ts';
import { structureProblems } from '../plan/structure-problems.ts';
import { actionProblems } from '../plan/validate-workflow.ts';
import { tell, type Beginning } from './run-state.ts';
import type { Occasion, WorkflowDeps } from './workflow-deps.ts';
import { wordsIn } from './words.ts';

/** The first thing of a run: what it starts with, or why it cannot start. */
export async function beginRun(
  workflow: Workflow,
  readers: Readers,
  deps: WorkflowDeps,
  occasion: Occasion,
  dryRun: boolean,
): Promise<Beginning> {
  const { run } = occasion;
  const at = deps.now();
  const { name: skill, version, steps } = workflow;
  tell({ deps, run }, { type: 'started', skill, version, steps: steps.length, dryRun });
  const refuse = (kind: string, message: string): Beginning => ({
    at,
    args: {},
    memory: {},
    warnings: [],
    failure: { kind, message },
  });
  const [wrong] = [...structureProblems(workflow, readers), ...actionProblems(workflow, deps.tools)];
  if (wrong) return refuse('invalid', `${wrong.problem}. ${wrong.fix}`);
  const from = run.input.from?.step;
  if (from !== undefined && !steps.some((step) => isCalled(step, from))) {
    const meant = nearest(
      from,
      steps.map(({ name }) => name),
    );
    return refuse('invalid', `there is no step '${from}'${meant ? `: did you mean '${meant}'?` : ''}`);
  }
  const read = resolveArguments(
    workflowArguments(workflow, readers),
    run.input.args,
    workflow.arguments.length > 0,
  );
  const problems = [
    ...read.problems,
    ...(read.missing.length > 0 ? [`missing: ${read.missing.join(', ')}`] : []),
  ];
  if (problems.length > 0) return refuse('bad_arguments', problems.join('; '));
  const keys = memoryKeys(workflow, readers);
  const found = await Promise.all(keys.map((key) => recalled(key, deps, occasion)));
  const say = wordsIn(run.input.language);
  return {
    at,
    args: { ...read.values },
    memory: Object.fromEntries(found.map(({ key, value }) => [key, value])),
    warnings: [
      ...(read.unused.length > 0 ? [say.unused(read.unused.join(', '))] : []),
      ...found.flatMap(({ problem }) => problem ?? []),
    ],
  };
}

async function recalled(key: string, deps: WorkflowDeps, occasion: Occasion) {
  try {
    return { key, value: (await deps.memory(key, occasion)) ?? null };
  } catch (error) {
    return { key, value: null, problem: `memory.${key}: ${toErrorRecord(error).message}` };
  }
}
