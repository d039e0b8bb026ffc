import type { ServerResponse } from 'node:http';

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
 * as the body of a `Response` every piece would leave a promise behind for as long as the stream lasts. For the same reason
 * nothing here waits on a promise that outlives a piece.
 */
export async function sendStream(
  head: Response,
  source: AsyncIterable<string | Uint8Array>,
  outgoing: ServerResponse,
  { signal, heartbeatMs, onBroken }: StreamOptions,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  let over = () => undefined as void;
  const abort = () => over();
  /** The next piece; `undefined` when the stream is over. */
  const next = (): Promise<string | Uint8Array | undefined> =>
    new Promise((resolve, reject) => {
      over = () => resolve(undefined);
      iterator.next().then(({ done, value }) => resolve(done ? undefined : value), reject);
    });
  const beat =
    heartbeatMs === undefined ? undefined : setInterval(() => outgoing.write(HEARTBEAT), heartbeatMs);
  signal.addEventListener('abort', abort);
  try {
    outgoing.writeHead(head.status, Object.fromEntries(head.headers));
    outgoing.flushHeaders();
    while (!signal.aborted) {
      const piece = await next();
      if (piece === undefined || outgoing.destroyed) break;
      beat?.refresh();
      if (!outgoing.write(piece)) await drained(outgoing, signal);
    }
    outgoing.end();
  } catch (thrown) {
    onBroken(thrown);
  } finally {
    clearInterval(beat);
    signal.removeEventListener('abort', abort);
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
