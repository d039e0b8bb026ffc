import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { OutputChunk } from '#spec/ports';

/**
 * Emits what a process prints, characters whole, up to `maxBytes` of both streams together. What comes after that is
 * read and dropped, so that the process does not hang on a full pipe. The returned function emits what is left over.
 */
export function collectOutput(
  child: ChildProcess,
  maxBytes: number,
  emit: (chunk: OutputChunk) => void,
  onFull: () => void,
): () => void {
  let left = maxBytes;
  const follow = (name: OutputChunk['stream'], stream: Readable | null): (() => void) => {
    const decoder = new StringDecoder('utf8');
    const say = (text: string) => {
      if (text !== '') emit({ stream: name, text });
    };
    stream?.on('data', (bytes: Buffer) => {
      if (left <= 0) return;
      const kept = bytes.length > left ? bytes.subarray(0, left) : bytes;
      left -= bytes.length;
      say(decoder.write(kept));
      if (left < 0) onFull();
    });
    // A read error of a pipe whose process was killed; the end of the process tells the rest.
    stream?.on('error', () => stream.destroy());
    return () => {
      if (left >= 0) say(decoder.end());
    };
  };
  const ends = [follow('stdout', child.stdout), follow('stderr', child.stderr)];
  return () => {
    for (const end of ends) end();
  };
}
