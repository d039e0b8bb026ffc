/** Limits on one call, in milliseconds; 0 means none. */
export interface Timeouts {
  /** From sending the request to the first byte of the answer's body. */
  readonly firstByte: number;
  /** Between two chunks of the answer. */
  readonly stall: number;
  /** The whole call. */
  readonly total: number;
}

type Expiry = { readonly kind: keyof Timeouts; readonly ms: number };

/** After the vendor said that the response is whole, only its usage report may still come. */
const AFTERTHOUGHT_MS = 3_000;

/** Aborts a call when its caller does, or when it has been silent for too long. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Which limit ran out, if one did. */
  readonly expired: Expiry | undefined;
  /** Something arrived. */
  beat(): void;
  /** The response is whole: do not wait long for what may follow. */
  settle(): void;
  close(): void;
}

export function startDeadline(caller: AbortSignal, timeouts: Timeouts): Deadline {
  const controller = new AbortController();
  let expired: Expiry | undefined;
  let silence = timeouts.stall;
  let quiet: NodeJS.Timeout | undefined;

  const arm = (kind: keyof Timeouts, ms: number) =>
    ms > 0
      ? setTimeout(() => {
          expired = { kind, ms };
          controller.abort();
        }, ms)
      : undefined;
  const onAbort = () => controller.abort();

  const total = arm('total', timeouts.total);
  quiet = arm('firstByte', timeouts.firstByte);
  if (caller.aborted) controller.abort();
  caller.addEventListener('abort', onAbort, { once: true });

  const beat = () => {
    clearTimeout(quiet);
    quiet = arm('stall', silence);
  };
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    beat,
    settle: () => {
      silence = silence > 0 ? Math.min(silence, AFTERTHOUGHT_MS) : AFTERTHOUGHT_MS;
      beat();
    },
    close: () => {
      clearTimeout(total);
      clearTimeout(quiet);
      caller.removeEventListener('abort', onAbort);
    },
  };
}
