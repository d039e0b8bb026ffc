import { diffArrays } from 'diff';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A text as it is edited (line feeds, no mark at its start), and how its bytes differ from that. */
export interface TextFile {
  readonly text: string;
  readonly encoding: Encoding;
  readonly bom: boolean;
  /** The text with its own line endings. */
  readonly raw: string;
}

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding of bytes by their mark, or by where the zeros of UTF-16 stand. `skip` is the length of the mark. */
export function detectEncoding(head: Uint8Array): { encoding: Encoding; skip: number } {
  for (const [encoding, mark] of MARKS)
    if (mark.every((byte, at) => head[at] === byte)) return { encoding, skip: mark.length };
  const sample = head.subarray(0, 4096);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = sample.length / 2;
  if (sample.length >= 4 && odd > most * 0.7 && even < most * 0.05) return { encoding: 'utf-16le', skip: 0 };
  if (sample.length >= 4 && even > most * 0.7 && odd < most * 0.05) return { encoding: 'utf-16be', skip: 0 };
  return { encoding: 'utf-8', skip: 0 };
}

/** Undefined when the bytes are no text that could be written back unchanged. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const { encoding, skip } = detectEncoding(bytes);
  if (encoding === 'utf-8' && bytes.includes(0)) return undefined;
  try {
    const raw = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes.subarray(skip));
    return { raw, text: raw.replaceAll('\r\n', '\n'), encoding, bom: skip > 0 };
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}

/** The bytes of an edited text, in the encoding and with the line endings that the file had. */
export function encodeText(text: string, before: TextFile | undefined): Uint8Array {
  if (!before) return Buffer.from(text, 'utf8');
  const body = `${before.bom ? '\ufeff' : ''}${withEndings(before.raw, text)}`;
  if (before.encoding === 'utf-8') return Buffer.from(body, 'utf8');
  const bytes = Buffer.from(body, 'utf16le');
  return before.encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** Gives new text the endings of the old: the one it has throughout, or line by line where it is mixed. */
function withEndings(raw: string, text: string): string {
  const windows = raw.match(/\r\n/g)?.length ?? 0;
  if (windows === 0) return text;
  const all = raw.match(/\n/g)?.length ?? 0;
  const plain = text.replaceAll('\r\n', '\n');
  if (windows === all) return plain.replaceAll('\n', '\r\n');
  const usual = windows * 2 >= all ? '\r\n' : '\n';
  const old = raw.split(/(?<=\n)/);
  const lines: string[] = [];
  let at = 0;
  for (const { value, added, removed } of diffArrays(old.map(bare), plain.split(/(?<=\n)/))) {
    if (added) lines.push(...value.map((line) => line.replace(/\n$/, usual)));
    else if (!removed) lines.push(...old.slice(at, at + value.length));
    if (!added) at += value.length;
  }
  return lines.join('');
}

const bare = (line: string): string => line.replace(/\r\n$/, '\n');
