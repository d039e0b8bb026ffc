import type { WorkflowRun } from '#engines/skills';
import type * as api from '#spec/api';
import type { Approval } from '#spec/data';
import type { OpenQuestion } from './open-questions.ts';

/** A run in a list. */
export type RunRow = api.Given<api.RunRow>;

type RunApproval = api.Given<api.RunApproval>;

export type RunView = api.Given<api.RunView>;

export function rowOf(run: WorkflowRun, here: boolean, questions: number): RunRow {
  const { id, skill, version, state, dryRun, startedAt, endedAt, input } = run;
  const { user, platform } = input.requester;
  const end = endedAt === undefined ? {} : { endedAt };
  return { id, skill, version, state, dryRun, by: { user, platform }, startedAt, ...end, here, questions };
}

interface Now {
  readonly here: boolean;
  readonly questions: readonly OpenQuestion[];
  readonly approvals: readonly Approval[];
}

export function viewOf(run: WorkflowRun, { here, questions, approvals }: Now): RunView {
  const { args, steps, result, problem, input } = run;
  return {
    ...rowOf(run, here, questions.length + approvals.length),
    args,
    steps,
    warnings: result?.warnings ?? [],
    ...(result?.text ? { text: result.text } : {}),
    ...(result?.failure ? { failure: result.failure } : {}),
    ...(problem === undefined ? {} : { problem }),
    ...(input.backend === undefined ? {} : { backend: input.backend }),
    ...(input.from ? { from: { step: input.from.step, run: input.from.run } } : {}),
    waiting: { questions, approvals: approvals.map(approvalOf) },
  };
}

const approvalOf = ({ id, action, reasons, separate, createdAt, expiresAt }: Approval): RunApproval => ({
  id,
  tool: action.tool,
  level: action.level,
  shown: action.shown,
  reasons,
  separate,
  createdAt,
  expiresAt,
});
