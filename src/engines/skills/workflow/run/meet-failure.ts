import type { FlowContext } from '#spec/ports';
import type { FailureHandler } from '../file/workflow.ts';
import { putRecord } from './step-records.ts';
import type { StepFailure } from './run-records.ts';
import { type RunProgress, scopeAt } from './run-state.ts';
import { type FailedStep, runBatch } from './run-batch.ts';
import { wordsIn } from './words.ts';

/** Does what the workflow says about a failure. True: the run ends with it. */
export async function meetFailure(
  flow: FlowContext,
  progress: RunProgress,
  failed: FailedStep,
): Promise<boolean> {
  const { step, kinds, state } = failed;
  const message = toldOf(progress, failed);
  const { onFailure } = step;
  const [name, handler] = handlerFor(progress, failed);
  const kind = name ?? kinds[0] ?? 'failed';
  const failure: StepFailure = { kind, message, ...(handler?.advice ? { advice: handler.advice } : {}) };
  putRecord(progress, step, { state, summary: message.split('\n', 1)[0] ?? '', failure });
  if (handler && handler.steps.length > 0 && state === 'failed') {
    if (await handled(flow, progress, failed, failure, handler)) return false;
  }
  if (onFailure.finally === 'continue') return false;
  if (onFailure.finally === 'warn') {
    progress.warnings.push(wordsIn(progress.run.input.language).continued(step.name, firstLine(message)));
    return false;
  }
  progress.end.failure ??= { ...failure, step: step.name };
  progress.end.state ??= state;
  return true;
}

/** What the author says about the failure of a step, else what the tool said. */
function toldOf(progress: RunProgress, { step, state, message }: FailedStep): string {
  const { readers, deps } = progress;
  if (step.failureMessage === undefined || state !== 'failed') return message;
  return readers.templates.render(step.failureMessage, scopeAt(progress, deps.now()), 'message');
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** The handler that the step names, else the one of the first kind that has one. */
function handlerFor(
  { workflow }: RunProgress,
  { step, kinds }: FailedStep,
): readonly [string, FailureHandler] | readonly [] {
  const { finally: end } = step.onFailure;
  const names = typeof end === 'object' ? [end.handler] : [...kinds, 'default'];
  for (const name of names) {
    const handler = Object.hasOwn(workflow.errorHandling, name) ? workflow.errorHandling[name] : undefined;
    if (handler) return [name, handler];
  }
  return [];
}

/** Runs the steps of a handler, and the step itself again when it says so. True: the failure is mended. */
async function handled(
  flow: FlowContext,
  progress: RunProgress,
  { step }: FailedStep,
  failure: StepFailure,
  handler: FailureHandler,
): Promise<boolean> {
  const about = { ...failure, step: step.name };
  for (const one of handler.steps) {
    // The same handler may run for several steps: its calls are told apart by the step that failed.
    const own = { ...one, id: `${step.id}.${one.id}` };
    const [again] = await runBatch(flow, progress, [own], 1, about);
    if (!again) continue;
    putRecord(progress, own, { state: again.state, summary: firstLine(again.message) });
    if (own.onFailure.finally === 'stop') return false;
  }
  if (!handler.retry) {
    putRecord(progress, step, { state: 'recovered' });
    return true;
  }
  const [still] = await runBatch(flow, progress, [step], 2);
  putRecord(progress, step, {
    state: still ? still.state : 'recovered',
    ...(still ? { failure: { ...failure, message: still.message } } : {}),
  });
  return !still;
}
