import type { EffectLevel, Tool } from '#spec/ports';
import type { FailurePolicy, Workflow, WorkflowStep } from '../file/workflow.ts';
import { showCheck } from '../run/check-requirements.ts';
import { showInput, stepInput } from '../run/step-input.ts';
import type { Scope } from '../template/look-up.ts';
import { batches } from './batches.ts';
import { constantLevel, effectLevel, type WorkflowTools } from './effect-level.ts';
import { workflowArguments } from './implied-arguments.ts';
import { loadReaders } from './load-readers.ts';
import { CLOCK_NAMES, memoryKeys, type Readers, stepPaths } from './references.ts';
import { resolveArguments } from './resolve-arguments.ts';
import { type StructureProblem, structureProblems } from './structure-problems.ts';
import { actionProblems } from './validate-workflow.ts';

export interface ExplainDeps {
  readonly tools: WorkflowTools;
  /** Why a tool cannot work here. */
  missing?(tool: Tool): { readonly what: string; readonly fix: string } | undefined;
  levelOf?(tool: Tool, input: unknown): EffectLevel | undefined;
  memory?(key: string): Promise<unknown>;
}

interface PlannedStep {
  readonly id: string;
  readonly name: string;
  readonly action: string;
  /** Steps of the same number run side by side. */
  readonly batch: number;
  /** The call, filled in as far as that is known; what is not yet known stands as it is written. */
  readonly input: string;
  readonly complete: boolean;
  /** Undefined: it depends on what is not yet known. */
  readonly level?: EffectLevel;
  readonly condition?: string;
  /** `confirmation`: the workflow asks. `gate`: the gate asks, or may. */
  readonly asks: readonly ('confirmation' | 'gate')[];
  /** Outputs of earlier steps that it needs. */
  readonly needs: readonly string[];
  readonly outputKey?: string;
  readonly onFailure: FailurePolicy;
  readonly timeoutMs: number;
  readonly missing?: { readonly what: string; readonly fix: string };
}

export interface WorkflowPlan {
  readonly name: string;
  readonly version: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly value?: unknown;
    readonly from: 'given' | 'default' | 'missing';
  }[];
  readonly preconditions: readonly string[];
  readonly steps: readonly PlannedStep[];
  readonly postconditions: readonly string[];
  readonly memory: readonly { readonly key: string; readonly known: boolean }[];
  readonly notifies: readonly string[];
  readonly storesMemory: boolean;
  readonly totalTimeoutMs: number;
  readonly problems: readonly StructureProblem[];
}

/** What a run would do, without doing any of it. */
export async function explainWorkflow(
  workflow: Workflow,
  args: Readonly<Record<string, unknown>>,
  deps: ExplainDeps,
): Promise<WorkflowPlan> {
  const readers = await loadReaders();
  const structure = structureProblems(workflow, readers);
  const problems = [...structure, ...actionProblems(workflow, deps.tools)];
  const readable = structure.length === 0;
  const declared = readable ? workflowArguments(workflow, readers) : workflow.arguments;
  const read = resolveArguments(declared, args, workflow.arguments.length > 0);
  const memory = await Promise.all(
    memoryKeys(workflow, readers).map(async (key) => ({ key, value: await deps.memory?.(key) })),
  );
  const scope: Scope = {
    ...read.values,
    memory: Object.fromEntries(memory.map(({ key, value }) => [key, value ?? null])),
    skill: { name: workflow.name, version: workflow.version },
  };
  const order = readable ? batches(workflow, readers) : workflow.steps.map((step) => [step]);
  const { onSuccess, onFailure } = workflow.output;
  return {
    name: workflow.name,
    version: workflow.version,
    arguments: declared.map(({ name }) => ({
      name,
      ...(Object.hasOwn(read.values, name) ? { value: read.values[name] } : {}),
      from: Object.hasOwn(args, name) ? 'given' : read.missing.includes(name) ? 'missing' : 'default',
    })),
    preconditions: workflow.preconditions.map(({ check, message }) => message ?? showCheck(check)),
    steps: order.flatMap((batch, i) =>
      batch.map((step) => plannedStep(step, i + 1, workflow, scope, readers, deps, readable)),
    ),
    postconditions: workflow.postconditions.map(({ check, message }) => message ?? showCheck(check)),
    memory: memory.map(({ key, value }) => ({ key, known: value !== undefined && value !== null })),
    notifies: [...new Set([...onSuccess.notify, ...onFailure.notify].map(({ platform }) => platform))],
    storesMemory: onSuccess.storeMemory !== false || onFailure.storeMemory !== false,
    totalTimeoutMs: workflow.totalTimeoutMs,
    problems: [
      ...problems,
      ...read.problems.map((problem) => ({ place: ['arguments'], problem, fix: 'See the arguments above' })),
    ],
  };
}

function plannedStep(
  step: WorkflowStep,
  batch: number,
  workflow: Workflow,
  scope: Scope,
  readers: Readers,
  deps: ExplainDeps,
  readable: boolean,
): PlannedStep {
  const timeoutMs = step.timeoutMs ?? workflow.stepTimeoutMs;
  const tool = deps.tools.find(step.action);
  const missing = tool && deps.missing?.(tool);
  const filled = readable ? fill(step, scope, readers, timeoutMs) : undefined;
  const level = tool && ((filled && levelOf(tool, filled, deps)) ?? constantLevel(tool));
  const roots = readable ? stepPaths(step, readers).map(({ parts: [root = ''] }) => root) : [];
  const keys = workflow.steps.flatMap(({ outputKey }) => outputKey ?? []);
  return {
    id: step.id,
    name: step.name,
    action: step.action,
    batch,
    input: filled ? showInput(step, filled) : (step.command ?? JSON.stringify(step.args)),
    complete: filled !== undefined,
    ...(level === undefined ? {} : { level }),
    ...(step.condition === undefined ? {} : { condition: step.condition }),
    asks: [
      ...(step.confirm ? (['confirmation'] as const) : []),
      ...(level === undefined || level >= 2 ? (['gate'] as const) : []),
    ],
    needs: [...new Set(roots.filter((root) => keys.includes(root)))],
    ...(step.outputKey === undefined ? {} : { outputKey: step.outputKey }),
    onFailure: step.onFailure,
    timeoutMs,
    ...(missing ? { missing } : {}),
  };
}

/** The call of a step, if everything that it names is known before the run. */
function fill(step: WorkflowStep, scope: Scope, readers: Readers, timeoutMs: number) {
  const roots = stepPaths(step, readers).map(({ parts: [root = ''] }) => root);
  if (roots.some((root) => CLOCK_NAMES.includes(root) || !Object.hasOwn(scope, root))) return undefined;
  try {
    return stepInput(step, scope, readers.templates, timeoutMs);
  } catch {
    // It is shown as it is written; the run would say what is wrong with it.
    return undefined;
  }
}

function levelOf(tool: Tool, input: unknown, deps: ExplainDeps): EffectLevel | undefined {
  const read = tool.input.safeParse(input);
  return read.success ? (deps.levelOf?.(tool, read.data) ?? effectLevel(tool, read.data)) : undefined;
}
