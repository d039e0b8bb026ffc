import { messageOf, toErrorRecord } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import { tell } from '#kit/text';
import type { Executor } from '#spec/ports';
import { stopped } from '#adapters/io/before-effect';

export type Found = Awaited<ReturnType<Executor['reconcile']>>;

/**
 * Looks until the answer will stay. What is still running is waited for until `deadlineMs`; a "not done" is believed
 * when it is the same after `settleMs`, because a request whose sender went away may still be on its way in. A look
 * that fails is "unknown"; being told to stop throws.
 */
export async function settle(
  look: () => Promise<Found | 'running'>,
  options: {
    readonly settleMs: number;
    readonly deadlineMs: number;
    readonly pollMs: number;
    readonly signal: AbortSignal;
  },
): Promise<Found> {
  const { signal, settleMs, deadlineMs, pollMs } = options;
  const ends = performance.now() + deadlineMs;
  const pause = async (ms: number) => {
    if (!(await sleep(ms, signal))) throw stopped();
  };
  let notDoneBefore = false;
  for (;;) {
    const found = await look().catch((cause: unknown): Found => {
      if (signal.aborted) throw stopped();
      return { found: 'unknown', detail: messageOf(toErrorRecord(cause)) };
    });
    if (found === 'running') {
      if (performance.now() >= ends)
        return { found: 'unknown', detail: tell('It is still running.', '仍在运行。') };
      notDoneBefore = false;
      await pause(pollMs);
    } else if (found.found === 'not_done' && !notDoneBefore) {
      notDoneBefore = true;
      await pause(settleMs);
    } else return found;
  }
}
