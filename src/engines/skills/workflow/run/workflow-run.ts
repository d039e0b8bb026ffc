import type { FlowCall, FlowRecord } from '#spec/ports';
import { parseWorkflow } from '../file/parse-workflow.ts';
import type { WorkflowStep } from '../file/workflow.ts';
import type { StepEnd } from './call-step.ts';
import type { Prepared } from './prepare-step.ts';
import { type RunState, type StepRecord, WorkflowInput, type WorkflowResult } from './run-records.ts';
import { showOutput } from './step-records.ts';
import { WORKFLOW_FLOW } from './workflow-flow.ts';

/** A run as people look at it, ended or not. */
export interface WorkflowRun {
  readonly id: string;
  readonly skill: string;
  readonly version: string;
  readonly state: RunState;
  readonly dryRun: boolean;
  readonly args: Readonly<Record<string, unknown>>;
  readonly steps: readonly StepRecord[];
  readonly input: WorkflowInput;
  readonly result?: WorkflowResult;
  /** Why there is no result although it has ended. */
  readonly problem?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
}

/** What the journal tells of a run; undefined when it is a record of something else. */
export function workflowRun(record: FlowRecord): WorkflowRun | undefined {
  if (record.flow !== WORKFLOW_FLOW) return undefined;
  const read = WorkflowInput.safeParse(record.input);
  if (!read.success) return undefined;
  const input = read.data;
  const parsed = parseWorkflow(input.text, input.path, input.language);
  const workflow = 'workflow' in parsed ? parsed.workflow : undefined;
  const result = record.state === 'done' ? (record.output as WorkflowResult) : undefined;
  const { args, dryRun } = input;
  const problem = record.failure?.error.message;
  return {
    id: record.id,
    skill: input.skill,
    version: result?.version ?? workflow?.version ?? '',
    state: result?.state ?? (record.state === 'failed' ? 'failed' : 'running'),
    dryRun: dryRun || (workflow?.dryRun ?? false),
    args,
    steps: result?.steps ?? stepsSoFar(workflow?.steps ?? [], record.calls ?? []),
    input,
    ...(result ? { result } : {}),
    ...(problem === undefined ? {} : { problem }),
    startedAt: result?.startedAt ?? record.createdAt,
    ...(record.state === 'done' || record.state === 'failed'
      ? { endedAt: result?.endedAt ?? record.updatedAt }
      : {}),
  };
}

/** The steps of a run that has not ended, from what it has called. Those of handlers come as they were called. */
function stepsSoFar(steps: readonly WorkflowStep[], calls: readonly FlowCall[]): readonly StepRecord[] {
  const records = new Map<string, StepRecord>(
    steps.map(({ id, name, action, outputKey }) => [
      id,
      { id, name, action, state: 'pending', attempts: 0, ...(outputKey === undefined ? {} : { outputKey }) },
    ]),
  );
  for (const call of calls) {
    const [, id, what] = /^(\d\S*) (prepare|ask|run)\b/.exec(call.name) ?? [];
    if (id === undefined) continue;
    const before = records.get(id) ?? { id, name: id, action: '', state: 'pending', attempts: 0 };
    records.set(id, { ...before, ...changeOf(what ?? '', call, before) });
  }
  return [...records.values()];
}

function changeOf(what: string, call: FlowCall, before: StepRecord): Partial<StepRecord> {
  if (what === 'ask') return {};
  if (what === 'prepare') {
    const prepared = call.value as Prepared | undefined;
    if (call.state !== 'done' || !prepared) return { state: 'failed' };
    const { decision, level, shown, reason, failure } = prepared;
    return {
      state: ({ run: 'running', fail: 'failed', skip: 'skipped', show: 'shown' } as const)[decision],
      level,
      ...(shown ? { input: shown } : {}),
      ...(reason === undefined ? {} : { summary: reason }),
      ...(failure ? { failure } : {}),
    };
  }
  const attempts = before.attempts + 1;
  if (call.state === 'begun') return { state: 'running', startedAt: call.at, attempts };
  if (call.state === 'uncertain') return { state: 'uncertain', startedAt: call.at, attempts };
  const end = call.value as StepEnd | undefined;
  if (!end) return { state: 'failed', attempts };
  const { startedAt, endedAt, summary } = end;
  const times = { startedAt: before.startedAt ?? startedAt, endedAt, summary, attempts };
  if (end.ok) return { ...times, state: 'done', output: showOutput(end.output) };
  const state = end.uncertain ? 'uncertain' : end.kinds.includes('refused') ? 'refused' : 'failed';
  return { ...times, state, failure: { kind: end.kinds[0] ?? 'failed', message: end.message } };
}
