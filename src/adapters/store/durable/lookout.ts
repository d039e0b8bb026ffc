export interface LookoutOptions {
  /** Looks for work once, and tells how much it found. */
  readonly look: () => Promise<number>;
  readonly beat: () => Promise<void>;
  /** There is nothing that it could ever find: it does not look by itself. */
  readonly idle: boolean;
  /** In how many milliseconds the next work is due, if that is known. */
  readonly nextDueMs: () => Promise<number | undefined>;
  readonly pollMs: number;
  readonly beatMs: number;
  readonly report: (error: unknown) => void;
}

/** Looks for work again and again: when told to, when something is due, and in between. One look at a time. */
export function lookout({ look, beat, idle, nextDueMs, pollMs, beatMs, report }: LookoutOptions) {
  let last: Promise<unknown> = Promise.resolve();
  let wanted = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | undefined;

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    // Whoever asked for this one hears how it ended.
    last = done.catch(() => undefined);
    return done;
  };

  const round = async (): Promise<void> => {
    wanted = false;
    if (closed) return;
    let waitMs = pollMs;
    try {
      await look();
      waitMs = Math.max(1, Math.min(pollMs, (await nextDueMs()) ?? pollMs));
    } catch (error) {
      report(error);
    }
    clearTimeout(timer);
    if (!closed) timer = setTimeout(soon, waitMs);
  };

  function soon(): void {
    if (wanted || closed || idle) return;
    wanted = true;
    void inTurn(round);
  }

  const pulse = setInterval(() => {
    beating ??= beat()
      .catch(report)
      .finally(() => (beating = undefined));
  }, beatMs);
  soon();

  return {
    soon,
    now: (): Promise<number> => inTurn(async () => (closed ? 0 : look())),
    close: async (): Promise<void> => {
      closed = true;
      clearTimeout(timer);
      clearInterval(pulse);
      await last;
      await beating;
    },
  };
}
