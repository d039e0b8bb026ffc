import { StringDecoder } from 'node:string_decoder';
import type { OutputChunk } from '#spec/ports';
import { splitMarks } from './split-marks.ts';

/** What a command's own marks told so far. */
interface Seen {
  readonly started: boolean;
  readonly ended: boolean;
  readonly cwd?: string;
}

export interface OutputFilter {
  take(stream: OutputChunk['stream'], bytes: Uint8Array): void;
  /** Emits what was held back at the end. */
  flush(): void;
  readonly seen: Seen;
}

/**
 * From bytes to what may be shown: characters whole, marks taken out, no more than `maxBytes` of both streams together.
 * What comes after that is dropped.
 */
export function outputFilter(
  token: string,
  maxBytes: number,
  emit: (chunk: OutputChunk) => void,
  onFull: () => void,
): OutputFilter {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  const seen: { started: boolean; ended: boolean; cwd?: string } = { started: false, ended: false };
  let room = maxBytes;
  const marks = splitMarks(token, ({ word, rest }) => {
    if (word === 'start') seen.started = true;
    if (word === 'end') seen.ended = true;
    if (word === 'cwd' && rest.startsWith('/')) seen.cwd = rest;
  });
  const show = (stream: OutputChunk['stream'], text: string): void => {
    if (!text || room < 0) return;
    const size = Buffer.byteLength(text);
    const kept = size <= room ? text : beginning(text, room);
    room = size <= room ? room - size : -1;
    if (kept) emit({ stream, text: kept });
    if (room < 0) onFull();
  };
  return {
    seen,
    take: (stream, bytes) => {
      const text = decoders[stream].write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      show(stream, stream === 'stderr' ? marks.take(text) : text);
    },
    flush: () => {
      show('stdout', decoders.stdout.end());
      show('stderr', marks.take(decoders.stderr.end()) + marks.rest());
    },
  };
}

/** The longest beginning of a text that has no more than so many bytes and no half of a character. */
const beginning = (text: string, bytes: number): string =>
  new StringDecoder('utf8').write(Buffer.from(text).subarray(0, bytes));
