import { performance } from 'node:perf_hooks';

/** How much longer than that it may take where the process is busy all the time. */
const MOST_TIMES = 5;
const LOOKS = 20;

/**
 * Resolves when this process has waited for so long. Time in which it was at work itself does not count: who has not been
 * heard out has not failed to answer. It takes five times as long at most. Never resolves once `signal` has aborted.
 */
export function waited(ms: number, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  const loop = performance.eventLoopUtilization();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const { idle } = performance.eventLoopUtilization(loop);
      if (idle < ms && performance.now() - began < ms * MOST_TIMES) return;
      clearInterval(timer);
      resolve();
    }, ms / LOOKS);
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  });
}
