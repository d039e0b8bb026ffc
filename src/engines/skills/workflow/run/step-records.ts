import { cutMiddle } from '#kit/cut-middle';
import { redact } from '#kit/redact';
import type { WorkflowStep } from '../file/workflow.ts';
import type { StepRecord } from './run-records.ts';
import type { RunProgress } from './run-state.ts';

const MOST_SHOWN = 4_000;

/** An output as people see it: bounded, and without what looks like a secret. */
export function showOutput(output: unknown): string {
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  return cutMiddle(redact(text), MOST_SHOWN);
}

type Change = Partial<Omit<StepRecord, 'output'>> & { readonly output?: unknown };

/** Adds to what is known of a step. */
export function putRecord(
  { records }: Pick<RunProgress, 'records'>,
  step: WorkflowStep,
  change: Change,
): void {
  const { id, name, action, outputKey } = step;
  const { output, ...rest } = change;
  records.set(id, {
    id,
    name,
    action,
    state: 'pending',
    attempts: 0,
    ...(outputKey === undefined ? {} : { outputKey }),
    ...records.get(id),
    ...rest,
    ...(output === undefined ? {} : { output: showOutput(output) }),
  });
}
