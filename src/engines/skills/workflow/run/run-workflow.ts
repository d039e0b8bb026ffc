import { createHash } from 'node:crypto';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { newId } from '#kit/new-id';
import type { Requester } from '#spec/data';
import type { DurableEngine, Flow, FlowRecord } from '#spec/ports';
import { parseWorkflow } from '../file/parse-workflow.ts';
import { isCalled, type Workflow } from '../file/workflow.ts';
import { workflowArguments } from '../plan/implied-arguments.ts';
import { loadReaders } from '../plan/load-readers.ts';
import { resolveArguments } from '../plan/resolve-arguments.ts';
import { cachedRun } from './cached-run.ts';
import type { WorkflowInput, WorkflowResult } from './run-records.ts';
import { CANCEL } from './run-steps.ts';
import { type WorkflowRun, workflowRun } from './workflow-run.ts';

/** What a run is asked for with. */
export interface WorkflowRequest {
  readonly text: string;
  readonly path: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  readonly requester: Requester;
  readonly language: Language;
  readonly workspace?: string;
  readonly backend?: string;
  readonly view?: WorkflowInput['view'];
  readonly task?: string;
  /** Runs although a kept result could be given. */
  readonly fresh?: boolean;
  /** A step, by name or number, and the run that came that far. */
  readonly from?: { readonly step: string; readonly run: string };
  /** Chosen by whoever has to find the run again; the same id never runs twice. */
  readonly id?: string;
}

export interface WorkflowReply {
  readonly run: WorkflowRun;
  /** Set when nothing was run: how old the kept result is. */
  readonly ageMs?: number;
}

/**
 * Runs a workflow skill to its end, or gives the result of the same call that is kept. When `signal` aborts, the run is
 * cancelled, and there is no reply.
 */
export async function runWorkflow(
  engine: DurableEngine,
  flow: Flow<WorkflowInput, WorkflowResult>,
  request: WorkflowRequest,
  options: {
    readonly signal: AbortSignal;
    readonly now: () => number;
    readonly onStart?: (id: string) => void;
  },
): Promise<WorkflowReply | undefined> {
  const { signal, now } = options;
  const workflow = await checked(request);
  const input = await inputOf(engine, workflow, request);
  if (!request.fresh && !input.from && !input.dryRun) {
    const kept = await cachedRun(engine, workflow, input, now());
    if (kept) return kept;
  }
  const id = request.id ?? newId('run');
  await engine.start(flow, id, input);
  options.onStart?.(id);
  const record = await engine.ended(id, signal);
  if (!record) await cancelWorkflow(engine, id);
  const run = record && workflowRun(record);
  return run && { run };
}

/** Ends a run before its next step, wherever it goes on. False: there is none, or it has ended. */
export const cancelWorkflow = (engine: Pick<DurableEngine, 'signal'>, id: string): Promise<boolean> =>
  engine.signal(id, CANCEL, null, CANCEL);

/** SHA-256 of a file's text. */
const workflowDigest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The workflow, if it can be read and everything that it needs was given. */
async function checked({ text, path, args, language }: WorkflowRequest): Promise<Workflow> {
  const parsed = parseWorkflow(text, path, language);
  if ('problems' in parsed) {
    const [{ line, problem, fix }] = parsed.problems;
    throw fail('input.invalid', `${path}${line === undefined ? '' : `:${line}`}: ${problem}`, fix);
  }
  const { workflow } = parsed;
  const declared = workflowArguments(workflow, await loadReaders());
  const { missing, problems } = resolveArguments(declared, args, workflow.arguments.length > 0);
  const [problem] = problems;
  if (problem) throw fail('input.invalid', `${workflow.name}: ${problem}`);
  if (missing.length > 0) {
    const how = missing.map((name) => `--arg ${name}=…`).join(' ');
    throw fail('input.invalid', `${workflow.name} needs ${missing.join(', ')}`, `Give ${how}`);
  }
  return workflow;
}

async function inputOf(
  engine: DurableEngine,
  workflow: Workflow,
  request: WorkflowRequest,
): Promise<WorkflowInput> {
  const { text, path, args, dryRun, requester, language, workspace, backend, view, task, from } = request;
  return {
    skill: workflow.name,
    path,
    text,
    digest: workflowDigest(text),
    args,
    dryRun,
    requester,
    language,
    ...(workspace === undefined ? {} : { workspace }),
    ...(backend === undefined ? {} : { backend }),
    ...(view === undefined ? {} : { view }),
    ...(task === undefined ? {} : { task }),
    ...(from
      ? { from: { ...from, outputs: outputsBefore(from, workflow, await engine.get(from.run)) } }
      : {}),
  };
}

/** What an earlier run of the same skill had made when it came to a step. */
function outputsBefore(
  { step, run }: { readonly step: string; readonly run: string },
  workflow: Workflow,
  record: FlowRecord | undefined,
): Record<string, unknown> {
  const earlier = record && workflowRun(record);
  if (!earlier) throw fail('input.invalid', `There is no run '${run}'`);
  if (earlier.skill !== workflow.name) {
    throw fail('input.invalid', `Run '${run}' was one of '${earlier.skill}', not of '${workflow.name}'`);
  }
  if (!earlier.result) throw fail('input.invalid', `Run '${run}' has not ended`, 'Wait for its end');
  const end = workflow.steps.findIndex((one) => isCalled(one, step));
  if (end < 0) throw fail('input.invalid', `'${workflow.name}' has no step '${step}'`);
  const keys = workflow.steps.slice(0, end).flatMap(({ outputKey }) => outputKey ?? []);
  const { outputs } = earlier.result;
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(outputs, key)).map((key) => [key, outputs[key]]),
  );
}
