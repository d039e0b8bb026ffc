import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

export interface Unpacked {
  readonly bytes: number;
  readonly sha256: string;
}

const BLOCK = 512;
const FILE_TYPES = ['0', '\0'];

/**
 * Writes the files of a package that `targetOf` names a place for, and tells what was written under each path within
 * the package. It reads as it goes: a package may be much larger than what is wanted of it.
 */
export async function unpack(
  archive: string,
  targetOf: (path: string) => string | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Unpacked>> {
  const unpacked = new Map<string, Unpacked>();
  const source = createReadStream(archive);
  const plain = source.pipe(createGunzip());
  source.on('error', (error) => plain.destroy(error));
  const reader = blockReader(plain);
  try {
    for (;;) {
      signal.throwIfAborted();
      const header = await reader.take(BLOCK);
      if (header.length < BLOCK || header.every((byte) => byte === 0)) return unpacked;
      const { path, size, type } = readHeader(header);
      const target = FILE_TYPES.includes(type) ? targetOf(path) : undefined;
      const content = reader.chunks(size);
      if (target === undefined) for await (const _ of content);
      else unpacked.set(path, await writeOut(content, target));
      await reader.take((BLOCK - (size % BLOCK)) % BLOCK);
    }
  } finally {
    source.destroy();
    plain.destroy();
  }
}

/** Paths begin with the folder that every package is packed into. */
function readHeader(header: Buffer): { path: string; size: number; type: string } {
  const text = (from: number, to: number) => header.toString('utf8', from, to).replace(/\0.*$/s, '');
  const name = text(0, 100);
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? text(345, 500) : '';
  const path = (prefix ? `${prefix}/${name}` : name).replace(/^[^/]+\//, '');
  return {
    path,
    size: Number.parseInt(text(124, 136).trim() || '0', 8),
    type: header.toString('latin1', 156, 157),
  };
}

async function writeOut(content: AsyncIterable<Buffer>, target: string): Promise<Unpacked> {
  await mkdir(dirname(target), { recursive: true });
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted() {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await pipeline(Readable.from(counted()), createWriteStream(target));
  return { bytes, sha256: hash.digest('hex') };
}

function blockReader(stream: AsyncIterable<Buffer>) {
  const iterator = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  async function* chunks(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (rest.length === 0) {
        const { done, value } = await iterator.next();
        if (done) throw new Error('the package ends in the middle of a file');
        rest = value;
      }
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
  return {
    chunks,
    /** So many bytes, or none at the end of the stream. */
    take: async (size: number): Promise<Buffer> => {
      if (rest.length === 0 && size > 0) {
        const { done, value } = await iterator.next();
        if (done) return Buffer.alloc(0);
        rest = value;
      }
      const parts: Buffer[] = [];
      for await (const part of chunks(size)) parts.push(part);
      return Buffer.concat(parts);
    },
  };
}
