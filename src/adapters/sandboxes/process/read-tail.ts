import type { ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';

const TAIL_CHARS = 16_384;

/** Collects the end of what comes through a descriptor; a flood does not grow it. */
export function readTail(child: ChildProcess, descriptor: number): () => string {
  let tail = '';
  const stream = child.stdio[descriptor];
  if (stream instanceof Readable) {
    stream.on('data', (bytes: Buffer) => {
      tail = (tail + bytes.toString('utf8')).slice(-TAIL_CHARS);
    });
    // The process was killed in the middle of it; what came before counts.
    stream.on('error', () => stream.destroy());
  }
  return () => tail;
}
