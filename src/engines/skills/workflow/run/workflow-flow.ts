import { defineFlow, type Flow, type FlowContext } from '#spec/ports';
import { parseWorkflow } from '../file/parse-workflow.ts';
import type { Requirement } from '../file/workflow.ts';
import { loadReaders } from '../plan/load-readers.ts';
import { beginRun } from './begin-run.ts';
import { checkRequirements } from './check-requirements.ts';
import { endRun } from './end-run.ts';
import { WorkflowInput, type WorkflowResult } from './run-records.ts';
import type { RunProgress } from './run-state.ts';
import { runSteps } from './run-steps.ts';
import { wordsIn } from './words.ts';
import type { WorkflowDeps } from './workflow-deps.ts';

export const WORKFLOW_FLOW = 'workflow-skill';

/**
 * A workflow skill as a durable flow: begin, preconditions, steps, postconditions, output. It never fails as a flow: how
 * it went is in its result. Steps that only read may run again after a crash; one that changes something never does.
 */
export function workflowFlow(deps: WorkflowDeps): Flow<WorkflowInput, WorkflowResult> {
  return defineFlow({
    name: WORKFLOW_FLOW,
    version: 1,
    input: WorkflowInput,
    run: async (flow, input) => {
      const progress = await begin(flow, input, deps);
      const failed = () => progress.end.failure !== undefined;
      if (failed()) return endRun(flow, progress, 'failed');
      const { workflow, dryRun } = progress;
      await meet(flow, progress, 'preconditions', workflow.preconditions);
      if (failed()) return endRun(flow, progress, 'unmet');
      await runSteps(flow, progress);
      if (failed()) return endRun(flow, progress, progress.end.state ?? 'failed');
      if (dryRun) return endRun(flow, progress, 'shown');
      await meet(flow, progress, 'postconditions', workflow.postconditions);
      return endRun(flow, progress, failed() ? 'failed' : 'done');
    },
  });
}

async function begin(flow: FlowContext, input: WorkflowInput, deps: WorkflowDeps): Promise<RunProgress> {
  const run = { id: flow.id, input };
  const parsed = parseWorkflow(input.text, input.path, input.language);
  if ('problems' in parsed) {
    const [{ line, problem, fix }] = parsed.problems;
    throw new Error(`${input.path}${line === undefined ? '' : `:${line}`}: ${problem}. ${fix}`);
  }
  const { workflow } = parsed;
  const readers = await loadReaders();
  const dryRun = input.dryRun || workflow.dryRun;
  const begun = await flow.step('begin', { effect: 'pure' }, ({ key, signal }) =>
    beginRun(workflow, readers, deps, { key, signal, run }, dryRun),
  );
  return {
    run,
    workflow,
    readers,
    deps,
    begun,
    dryRun,
    outputs: { ...input.from?.outputs },
    unknown: new Set(),
    records: new Map(),
    warnings: [...begun.warnings],
    waitedMs: 0,
    end: begun.failure ? { failure: begun.failure } : {},
  };
}

/** Looks at conditions. The first that does not hold ends the run; what cannot be told is a warning. */
async function meet(
  flow: FlowContext,
  progress: RunProgress,
  which: 'preconditions' | 'postconditions',
  requirements: readonly Requirement[],
): Promise<void> {
  if (requirements.length === 0) return;
  const say = wordsIn(progress.run.input.language);
  const checked = await flow.step(which, { effect: 'pure' }, ({ key, signal }) =>
    checkRequirements(requirements, progress, { key, signal }),
  );
  for (const { what, holds, detail } of checked) {
    const said = detail ? `${what} (${detail})` : what;
    if (holds === undefined) progress.warnings.push(say.unchecked(said));
    else if (!holds) {
      progress.end.failure ??= { kind: which.slice(0, -1), message: say.unmet(said) };
      progress.end.state ??= 'failed';
    }
  }
}
