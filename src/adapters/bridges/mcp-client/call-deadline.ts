/** How long a call may take: a limit that starts anew with each sign of life, and stands still while a person is asked. */
export interface CallDeadline {
  readonly signal: AbortSignal;
  /** A sign of life. It moves the limit, though not for ever. */
  progress(): void;
  /** Stops the clock until the returned function is called. */
  hold(): () => void;
  clear(): void;
}

export function callDeadline(limitMs: number, mostMs: number): CallDeadline {
  const late = new AbortController();
  let left = mostMs;
  let holds = 0;
  let started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - started;
  };
  const start = () => {
    if (holds > 0 || late.signal.aborted) return;
    started = performance.now();
    timer = setTimeout(
      () => late.abort(new Error(`timed out after ${limitMs / 1_000} s`)),
      Math.min(limitMs, Math.max(0, left)),
    );
  };
  start();
  return {
    signal: late.signal,
    progress() {
      stop();
      start();
    },
    hold() {
      stop();
      holds++;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holds--;
        start();
      };
    },
    clear() {
      stop();
      holds = Number.POSITIVE_INFINITY;
    },
  };
}
