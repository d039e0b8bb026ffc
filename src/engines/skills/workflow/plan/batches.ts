import type { Workflow, WorkflowStep } from '../file/workflow.ts';
import { type Readers, stepPaths } from './references.ts';

/**
 * The order of a run: one step after the other, except that the members of a parallel group run together where the
 * first of them stands, as far as none of them needs what a later step makes.
 */
export function batches(workflow: Workflow, readers: Readers): readonly (readonly WorkflowStep[])[] {
  const out: WorkflowStep[][] = [];
  const placed = new Set<string>();
  const made = new Set<string>();
  for (const step of workflow.steps) {
    if (placed.has(step.id)) continue;
    const batch = [step, ...companions(step, workflow, placed, made, readers)];
    for (const { id } of batch) placed.add(id);
    for (const { outputKey } of batch) if (outputKey) made.add(outputKey);
    out.push(batch);
  }
  return out;
}

const inGroup = (step: WorkflowStep, group: readonly string[]): boolean =>
  group.some((word) => step.names.includes(word) || step.action === word);

function companions(
  first: WorkflowStep,
  { steps, parallel }: Workflow,
  placed: ReadonlySet<string>,
  made: ReadonlySet<string>,
  readers: Readers,
): readonly WorkflowStep[] {
  const groups = parallel.filter((group) => inGroup(first, group));
  if (groups.length === 0) return [];
  const keys = new Set(steps.flatMap(({ outputKey }) => outputKey ?? []));
  const taken = new Set([first.outputKey]);
  return steps.filter((step) => {
    if (step === first || placed.has(step.id) || !groups.some((group) => inGroup(step, group))) return false;
    const waits = needs(step, readers).some((name) => keys.has(name) && !made.has(name));
    if (waits || (step.outputKey !== undefined && taken.has(step.outputKey))) return false;
    taken.add(step.outputKey);
    return true;
  });
}

/** The names that a step starts from. One that cannot be read needs everything before it. */
function needs(step: WorkflowStep, readers: Readers): readonly string[] {
  return stepPaths(step, readers).flatMap(({ parts }) => parts[0] ?? []);
}
