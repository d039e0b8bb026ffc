/** Bytes that are not what the framing promises. */
export class BadFrameError extends Error {
  override readonly name = 'BadFrameError';
}

/** An event of a response is never larger than this; more means that the peer is not speaking the protocol. */
export const MOST_FRAME_BYTES = 32 * 1024 * 1024;

export function parseFrameJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BadFrameError(`an event is not JSON: ${text.slice(0, 80)}`, { cause });
  }
}
