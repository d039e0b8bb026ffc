import type { EffectLevel, Tool } from '#spec/ports';
import type { WorkflowStep } from '../file/workflow.ts';
import { constantLevel, effectLevel } from '../plan/effect-level.ts';
import { stepPaths } from '../plan/references.ts';
import type { StepFailure } from './run-records.ts';
import { type RunProgress, scopeAt, tell } from './run-state.ts';
import { showInput, stepInput } from './step-input.ts';
import { wordsIn } from './words.ts';

/** What was decided about a step right before it. It is journalled: a replay goes the same way. */
export interface Prepared {
  readonly at: number;
  readonly decision: 'run' | 'skip' | 'show' | 'fail';
  readonly level: EffectLevel;
  readonly shown: string;
  readonly timeoutMs: number;
  readonly reason?: string;
  readonly failure?: StepFailure;
  readonly question?: string;
}

const LEVEL_UNKNOWN: EffectLevel = 2;

/** Decides about a step: whether it runs, with what, and how far it reaches. */
export function prepareStep(
  step: WorkflowStep,
  progress: RunProgress,
  failed?: StepFailure & { step: string },
): Prepared {
  const prepared = decide(step, progress, failed);
  const { id, name } = step;
  if (prepared.decision === 'skip') {
    tell(progress, { type: 'skipped', step: id, name, reason: prepared.reason ?? '' });
  }
  if (prepared.decision === 'show') tell(progress, { type: 'shown', step: id, name, input: prepared.shown });
  return prepared;
}

function decide(
  step: WorkflowStep,
  progress: RunProgress,
  failed: (StepFailure & { step: string }) | undefined,
): Prepared {
  const { deps, workflow, begun, readers } = progress;
  const say = wordsIn(progress.run.input.language);
  const at = deps.now();
  const left = begun.at + workflow.totalTimeoutMs + progress.waitedMs - at;
  const timeoutMs = Math.min(step.timeoutMs ?? workflow.stepTimeoutMs, left);
  const base = { at, level: LEVEL_UNKNOWN, shown: '', timeoutMs };
  const fail = (kind: string, message: string): Prepared => ({
    ...base,
    decision: 'fail',
    failure: { kind, message },
  });
  if (left <= 0) {
    return fail('timeout', say.over(workflow.totalTimeoutMs / 1_000));
  }
  const waits = unknownNames(step, progress);
  if (waits.length > 0) {
    const shown = step.command ?? JSON.stringify(step.args);
    const tool = deps.tools.find(step.action);
    const level = (tool && constantLevel(tool)) ?? LEVEL_UNKNOWN;
    return { ...base, level, decision: 'show', shown, reason: say.depends(waits.join(', ')) };
  }
  const scope = scopeAt(progress, at, failed);
  try {
    if (step.condition !== undefined) {
      const { holds, because } = readers.conditions.test(step.condition, scope);
      if (!holds) return { ...base, decision: 'skip', reason: because ?? say.unheld(step.condition) };
    }
  } catch (error) {
    return fail('condition_error', `its condition: ${(error as Error).message}`);
  }
  try {
    const input = stepInput(step, scope, readers.templates, timeoutMs);
    return weigh(step, progress, { ...base, shown: showInput(step, input) }, input, scope);
  } catch (error) {
    return fail('template_error', (error as Error).message);
  }
}

function weigh(
  step: WorkflowStep,
  { deps, dryRun, readers }: RunProgress,
  base: Omit<Prepared, 'decision'>,
  input: Readonly<Record<string, unknown>>,
  scope: Parameters<typeof readers.templates.render>[1],
): Prepared {
  const tool = deps.tools.find(step.action);
  if (!tool) {
    const message = `there is no action '${step.action}'`;
    return { ...base, decision: 'fail', failure: { kind: 'unknown_action', message } };
  }
  const read = tool.input.safeParse(input);
  if (!read.success) {
    const issues = read.error.issues.map(({ path, message }) => `${path.join('.') || 'args'}: ${message}`);
    return { ...base, decision: 'fail', failure: { kind: 'bad_arguments', message: issues.join('; ') } };
  }
  const level = levelOf(deps, tool, read.data);
  if (dryRun && level > 0) return { ...base, level, decision: 'show' };
  const question = step.confirm
    ? readers.templates.render(step.confirmationMessage ?? step.name, scope, 'message')
    : undefined;
  return { ...base, level, decision: 'run', ...(question === undefined ? {} : { question }) };
}

const levelOf = (deps: RunProgress['deps'], tool: Tool, input: unknown): EffectLevel =>
  deps.levelOf?.(tool, input) ?? effectLevel(tool, input);

function unknownNames(step: WorkflowStep, { unknown, readers }: RunProgress): readonly string[] {
  if (unknown.size === 0) return [];
  const roots = stepPaths(step, readers).map(({ parts: [root = ''] }) => root);
  return [...new Set(roots.filter((root) => unknown.has(root)))];
}
