import type { Workflow } from '../file/workflow.ts';
import type { Readers } from '../plan/references.ts';
import type { Scope } from '../template/look-up.ts';
import type { StepFailure, StepRecord, WorkflowEvent } from './run-records.ts';
import type { RunContext, WorkflowDeps } from './workflow-deps.ts';

/** What the first step of a run put down. */
export interface Beginning {
  readonly at: number;
  readonly args: Readonly<Record<string, unknown>>;
  readonly memory: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly failure?: StepFailure;
}

/** A run between two calls of its context. All of it follows from the input and the journal. */
export interface RunProgress {
  readonly run: RunContext;
  readonly workflow: Workflow;
  readonly readers: Readers;
  readonly deps: WorkflowDeps;
  readonly begun: Beginning;
  readonly dryRun: boolean;
  readonly outputs: Record<string, unknown>;
  /** Outputs that a dry run could not make. */
  readonly unknown: Set<string>;
  readonly records: Map<string, StepRecord>;
  readonly warnings: string[];
  /** How long people were waited for: it does not count. */
  waitedMs: number;
  readonly end: {
    failure?: StepFailure & { readonly step?: string };
    state?: 'failed' | 'refused' | 'uncertain' | 'cancelled';
  };
}

/** What texts can name at a moment. */
export function scopeAt(progress: RunProgress, at: number, failure?: StepFailure & { step: string }): Scope {
  const { workflow, begun, outputs, run } = progress;
  const time = new Date(at);
  return {
    ...clockNames(time),
    failure: failure ?? null,
    ...Object.fromEntries(workflow.steps.flatMap(({ outputKey }) => (outputKey ? [[outputKey, null]] : []))),
    ...Object.fromEntries(
      Object.values(workflow.errorHandling)
        .flatMap(({ steps }) => steps)
        .flatMap(({ outputKey }) => (outputKey ? [[outputKey, null]] : [])),
    ),
    ...begun.args,
    ...outputs,
    memory: begun.memory,
    skill: { name: workflow.name, version: workflow.version },
    run: { id: run.id, started_at: new Date(begun.at).toISOString(), workspace: run.input.workspace ?? null },
  };
}

function clockNames(time: Date): Scope {
  const two = (n: number) => String(n).padStart(2, '0');
  return {
    now: time.toISOString(),
    date: `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`,
    hour: time.getHours(),
    minute: time.getMinutes(),
    // 1 is Monday, 7 is Sunday.
    weekday: ((time.getDay() + 6) % 7) + 1,
  };
}

type Untimed = WorkflowEvent extends infer E
  ? E extends WorkflowEvent
    ? Omit<E, 'run' | 'at'>
    : never
  : never;

/** Tells whoever watches. To be called only where a replay does not come. */
export function tell({ deps, run }: Pick<RunProgress, 'deps' | 'run'>, event: Untimed): void {
  deps.report?.({ ...event, run: run.id, at: deps.now() });
}
