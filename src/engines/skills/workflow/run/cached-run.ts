import { isRecord } from '#kit/is-record';
import type { DurableEngine } from '#spec/ports';
import type { Workflow } from '../file/workflow.ts';
import type { WorkflowInput, WorkflowResult } from './run-records.ts';
import { type WorkflowRun, workflowRun } from './workflow-run.ts';
import { WORKFLOW_FLOW } from './workflow-flow.ts';

const MOST_LOOKED_AT = 200;

/**
 * The newest result of exactly this: the same file, the same arguments, the same language, for the same person in the same folder, not
 * older than the workflow allows, and of a run that changed nothing.
 */
export async function cachedRun(
  engine: Pick<DurableEngine, 'list'>,
  workflow: Workflow,
  input: WorkflowInput,
  now: number,
): Promise<{ readonly run: WorkflowRun; readonly ageMs: number } | undefined> {
  const { cacheTtlMs } = workflow;
  if (cacheTtlMs === undefined) return undefined;
  const wanted = sameness(input);
  const records = await engine.list({ flow: WORKFLOW_FLOW, states: ['done'], limit: MOST_LOOKED_AT });
  for (const record of records) {
    const { digest, requester } = record.input as WorkflowInput;
    const result = record.output as WorkflowResult | undefined;
    if (digest !== input.digest || !requester || result?.state !== 'done' || !result.repeatable) continue;
    const ageMs = now - result.endedAt;
    if (ageMs > cacheTtlMs || sameness(record.input as WorkflowInput) !== wanted) continue;
    const run = workflowRun(record);
    if (run && !run.dryRun && !run.input.from) return { run, ageMs: Math.max(0, ageMs) };
  }
  return undefined;
}

function sameness({ digest, args, language, requester, workspace, backend, view }: WorkflowInput): string {
  const { platform, profile, user } = requester;
  const where = [workspace ?? null, backend ?? null, view ? [view.shared, view.audience.chat] : null];
  return JSON.stringify([digest, ordered(args), language, platform, profile, user, ...where]);
}

/** The same value whatever the order of its keys. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).toSorted();
  return keys.map((key) => [key, ordered(value[key])]);
}
