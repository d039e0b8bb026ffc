import type { FlowContext } from '#spec/ports';
import { isCalled } from '../file/workflow.ts';
import { batches } from '../plan/batches.ts';
import { meetFailure } from './meet-failure.ts';
import { runBatch } from './run-batch.ts';
import type { RunProgress } from './run-state.ts';
import { putRecord } from './step-records.ts';
import { wordsIn } from './words.ts';

/** The signal that ends a run before its next step. */
export const CANCEL = 'cancel';

/** Runs all steps in their order, until one of them ends the run. */
export async function runSteps(flow: FlowContext, progress: RunProgress): Promise<void> {
  const { workflow, readers, run } = progress;
  const say = wordsIn(run.input.language);
  const { from } = run.input;
  let reached = from === undefined;
  let stopped = false;
  for (const batch of batches(workflow, readers)) {
    reached ||= batch.some((step) => isCalled(step, from?.step ?? ''));
    if (stopped || !reached) {
      const summary = stopped ? say.stopped() : say.earlier(from?.run ?? '');
      for (const step of batch)
        putRecord(progress, step, { state: stopped ? 'pending' : 'skipped', summary });
      continue;
    }
    if (await flow.waitFor(CANCEL, { timeoutMs: 0 })) {
      stopped = true;
      progress.end.failure = { kind: 'cancelled', message: say.cancelled() };
      progress.end.state = 'cancelled';
      for (const step of batch) putRecord(progress, step, { state: 'pending', summary: say.stopped() });
      continue;
    }
    const failures = await runBatch(flow, progress, batch, 1);
    for (const failure of failures) stopped = (await meetFailure(flow, progress, failure)) || stopped;
  }
}
