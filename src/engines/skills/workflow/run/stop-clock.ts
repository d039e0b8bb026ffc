import { sleep } from '#kit/sleep';

/** The time that a step has. It stands still while a person is waited for. */
export interface StopClock {
  /** True when the time is over; false when the signal came first. */
  over(signal: AbortSignal): Promise<boolean>;
  patiently<T>(wait: () => Promise<T>): Promise<T>;
  waitedMs(): number;
}

/** While somebody is waited for, the time left does not shrink: it is looked at again when that ends. */
const LONG_MS = 3_600_000;

export function stopClock(ms: number): StopClock {
  const start = performance.now();
  let waited = 0;
  /** When the present wait began; several may overlap. */
  let since: number | undefined;
  let waits = 0;
  const waitedMs = () => waited + (since === undefined ? 0 : performance.now() - since);
  const ended = new EventTarget();
  return {
    waitedMs: () => Math.round(waitedMs()),
    over: async (signal) => {
      for (;;) {
        const left = ms - (performance.now() - start - waitedMs());
        if (since === undefined && left <= 0) return true;
        const moved = new AbortController();
        const stop = AbortSignal.any([signal, moved.signal]);
        ended.addEventListener('end', () => moved.abort(), { once: true, signal: stop });
        await sleep(since === undefined ? Math.max(1, left) : LONG_MS, stop);
        moved.abort();
        if (signal.aborted) return false;
      }
    },
    patiently: async (wait) => {
      waits++;
      since ??= performance.now();
      try {
        return await wait();
      } finally {
        waits--;
        if (waits === 0) {
          waited = waitedMs();
          since = undefined;
          ended.dispatchEvent(new Event('end'));
        }
      }
    },
  };
}
