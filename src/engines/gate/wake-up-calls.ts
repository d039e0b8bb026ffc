import { sleep } from '#kit/sleep';

export interface WakeUpCalls {
  /** True while somebody in this process waits for the id. */
  isAwaited(id: string): boolean;
  /** Waits for a call with the id, for as long as `ms`, or until the signal aborts. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<void>;
  wake(id: string): void;
  /** Runs `work` as the one that waits for the id. */
  awaiting<T>(id: string, work: () => Promise<T>): Promise<T>;
}

/** Lets what happens in this process be known at once; other processes are found out by looking from time to time. */
export function wakeUpCalls(): WakeUpCalls {
  const sleepers = new Map<string, AbortController>();
  return {
    isAwaited: (id) => sleepers.has(id),
    wait: async (id, ms, signal) => {
      const call = sleepers.get(id);
      await sleep(ms, call ? AbortSignal.any([signal, call.signal]) : signal);
      if (call?.signal.aborted) sleepers.set(id, new AbortController());
    },
    wake: (id) => sleepers.get(id)?.abort(),
    awaiting: async (id, work) => {
      sleepers.set(id, new AbortController());
      try {
        return await work();
      } finally {
        sleepers.delete(id);
      }
    },
  };
}
