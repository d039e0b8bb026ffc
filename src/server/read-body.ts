import type { IncomingMessage } from 'node:http';
import type { Refusal } from './refusal.ts';

interface BodyLimits {
  readonly maxBytes: number;
  /** Until when all of it has to be there. */
  readonly ms: number;
}

/** Exactly the bytes that were sent, or why not. What is too large is not kept, also when its length was not told. */
export function readBody(incoming: IncomingMessage, limits: BodyLimits): Promise<Uint8Array | Refusal> {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > limits.maxBytes) return Promise.resolve(tooLarge(limits.maxBytes));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (outcome: Uint8Array | Refusal) => {
      clearTimeout(timer);
      incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      // Afterwards a late error of the connection has nobody else to hear it.
      incoming.on('error', () => undefined);
      resolve(outcome);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.maxBytes) return finish(tooLarge(limits.maxBytes));
      chunks.push(chunk);
    };
    const onEnd = () => finish(Buffer.concat(chunks));
    const onGone = () => finish(cutOff);
    const timer = setTimeout(() => finish(tooSlow), limits.ms);
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

const tooLarge = (most: number): Refusal => ({
  status: 413,
  code: 'input.too_large',
  detail: `The body is larger than ${most} bytes.`,
});
const tooSlow: Refusal = {
  status: 408,
  code: 'http.timeout',
  detail: 'The body did not arrive in time.',
  headers: { connection: 'close' },
};
const cutOff: Refusal = { status: 400, code: 'http.bad_request', detail: 'The body ended early.' };
