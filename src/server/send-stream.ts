import type { ServerResponse } from 'node:http';
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

/**
 * Sends pieces as they come, one asked for whenever the peer has taken the one before. Written to the connection itself:
 * as the body of a `Response` every piece would leave a promise behind for as long as the stream lasts.
 */
export async function sendStream(
  head: Response,
  source: AsyncIterable<string>,
  outgoing: ServerResponse,
  { signal, heartbeatMs, onBroken }: StreamOptions,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  let waiting: Promise<IteratorResult<string>> | undefined;
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
  try {
    outgoing.writeHead(head.status, Object.fromEntries(head.headers));
    outgoing.flushHeaders();
    while (!signal.aborted) {
      const piece = await next();
      if (piece === undefined || outgoing.destroyed) break;
      if (!outgoing.write(piece)) await drained(outgoing, signal);
    }
    outgoing.end();
  } catch (thrown) {
    onBroken(thrown);
  }
  void Promise.resolve(iterator.return?.()).catch(onBroken);
}

/** Resolves when the peer has taken what was written, or nobody will any more. */
const drained = (outgoing: ServerResponse, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    outgoing.once('drain', done);
    outgoing.once('close', done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
