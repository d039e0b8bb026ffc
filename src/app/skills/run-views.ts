import type { StepRecord, WorkflowRun } from '#engines/skills';
import type { Approval, Text } from '#spec/data';
import type { OpenQuestion } from './open-questions.ts';

/** A run in a list. */
export interface RunRow {
  readonly id: string;
  readonly skill: string;
  readonly version: string;
  readonly state: WorkflowRun['state'];
  readonly dryRun: boolean;
  /** Who started it, and where. */
  readonly by: { readonly user: string; readonly platform: string };
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Whether this process is at it. */
  readonly here: boolean;
  /** Questions that it waits with. */
  readonly questions: number;
}

/** What the gate asks about a call of a run. */
interface RunApproval {
  readonly id: string;
  readonly tool: string;
  readonly level: number;
  /** What would run. */
  readonly shown: string;
  readonly reasons: readonly Text[];
  readonly separate: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface RunView extends RunRow {
  readonly args: Readonly<Record<string, unknown>>;
  readonly steps: readonly StepRecord[];
  readonly text?: string;
  readonly warnings: readonly string[];
  readonly failure?: { readonly kind: string; readonly message: string; readonly step?: string };
  readonly problem?: string;
  readonly backend?: string;
  readonly from?: { readonly step: string; readonly run: string };
  readonly waiting: {
    readonly questions: readonly OpenQuestion[];
    readonly approvals: readonly RunApproval[];
  };
}

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
