import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { fail } from '#kit/app-error';

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';
/** What a compressed answer may be larger than the text that is wanted of it. */
const SLACK = 64 * 1024;

export interface Body {
  readonly bytes: Uint8Array;
  readonly cut: boolean;
}

/**
 * Reads at most `maxBytes` of what an answer says, decompressed; nothing beyond that is ever held. What comes over the
 * wire is bounded as well, so that a stream that decompresses to nothing ends.
 */
export async function readBody(source: Readable, encoding: string, maxBytes: number): Promise<Body> {
  const wire = bounded(source, maxBytes + SLACK);
  const chunks: Uint8Array[] = [];
  let held = 0;
  try {
    for await (const chunk of await decoded(wire.stream, encoding)) {
      chunks.push(chunk.subarray(0, maxBytes - held));
      held += chunk.length;
      if (held > maxBytes) break;
    }
  } catch (error) {
    // A compressed stream that was cut off on the way complains about its end.
    if (!wire.cut()) throw error;
  } finally {
    source.destroy();
  }
  return { bytes: Buffer.concat(chunks), cut: held > maxBytes || wire.cut() };
}

function bounded(source: Readable, limit: number) {
  let seen = 0;
  let over = false;
  async function* stream(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      seen += chunk.length;
      if (seen > limit) {
        over = true;
        return;
      }
      yield chunk;
    }
  }
  return { stream: stream(), cut: () => over };
}

async function decoded(
  wire: AsyncGenerator<Uint8Array>,
  encoding: string,
): Promise<AsyncIterable<Uint8Array>> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return wire;
  const first = await wire.next();
  if (first.done) return wire;
  const decompress = decompressor(name, first.value);
  // A stream that ends early gives what it had; the error of a broken one reaches the reader through the pipeline.
  return pipeline(rejoined(first.value, wire), decompress, () => undefined);
}

async function* rejoined(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function decompressor(name: string, first: Uint8Array) {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  if (name === 'br') return createBrotliDecompress();
  // Half of the world sends `deflate` without the zlib header.
  if (name === 'deflate') return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  throw fail('tool.failed', `The answer is encoded as '${name.slice(0, 40)}', which cannot be read.`);
}
