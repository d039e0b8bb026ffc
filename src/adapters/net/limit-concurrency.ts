/** Runs at most `most` tasks at a time; those that wait leave when their signal fires. */
export function limitConcurrency(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    running -= 1;
    waiting.shift()?.();
  };
  const enter = (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (running < most) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', giveUp);
        running += 1;
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason as Error);
      };
      waiting.push(go);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  };
  return async <T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> => {
    await enter(signal);
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
