import { sleep } from '#kit/sleep';

interface StreamOptions {
  /** Ends the stream. Whoever makes the pieces should end by the same signal. */
  readonly signal: AbortSignal;
  /** Sends a comment after this long without a piece, so that proxies and peers know that the line is alive. */
  readonly heartbeatMs?: number;
  /** The source threw in the middle. */
  readonly onBroken: (thrown: unknown) => void;
}

const HEARTBEAT = ': still here\n\n';

/** Pieces as bytes, one asked for whenever the peer has taken the one before. */
export function streamBody(
  source: AsyncIterable<string>,
  options: StreamOptions,
): ReadableStream<Uint8Array> {
  const { signal, heartbeatMs, onBroken } = options;
  const iterator = source[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let waiting: Promise<IteratorResult<string>> | undefined;
  const leave = () => {
    void Promise.resolve(iterator.return?.()).catch(onBroken);
  };
  /** The next piece; `undefined` when the stream is over. */
  const next = async (): Promise<string | undefined> => {
    waiting ??= iterator.next();
    const pause = new AbortController();
    const stop = () => pause.abort();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const quiet = sleep(heartbeatMs ?? 2 ** 31 - 1, pause.signal);
      const got = await Promise.race([waiting, quiet.then((slept) => (slept ? 'beat' : 'over'))]);
      if (got === 'over') return undefined;
      if (got === 'beat') return HEARTBEAT;
      waiting = undefined;
      return typeof got === 'string' || got.done ? undefined : got.value;
    } finally {
      pause.abort();
      signal.removeEventListener('abort', stop);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = signal.aborted ? undefined : await next();
          if (piece !== undefined) return controller.enqueue(encoder.encode(piece));
          leave();
        } catch (thrown) {
          onBroken(thrown);
        }
        controller.close();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
