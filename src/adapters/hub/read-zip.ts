import { crc32, inflateRawSync } from 'node:zlib';
import type { FetchedTree, HubFile } from '#spec/ports';
import { MOST_ENTRIES, MOST_RATIO, MOST_UNPACKED, RATIO_FROM } from './limits.ts';
import { refuse } from './refuse.ts';

const END = 0x06_05_4b_50;
const CENTRAL = 0x02_01_4b_50;
const LOCAL = 0x04_03_4b_50;
const FILE_TYPES = 0o170_000;
const REGULAR = 0o100_000;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
  readonly isFolder: boolean;
  readonly isOdd: boolean;
}

/**
 * The plain files of a zip archive, by its central directory. Its attributes tell a link from a file, and sizes are
 * held to while unpacking: a header that understates them does not help.
 */
export function readZip(bytes: Uint8Array): Pick<FetchedTree, 'files' | 'odd'> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = directory(bytes, view);
  const files: HubFile[] = [];
  const odd: string[] = [];
  let left = MOST_UNPACKED;
  for (const entry of entries) {
    if (entry.isFolder) continue;
    if (entry.isOdd) {
      odd.push(entry.name);
      continue;
    }
    const data = unpack(bytes, view, entry, left);
    left -= data.length;
    files.push({ path: entry.name.replace(/^(?:\.\/)+/, ''), bytes: data });
  }
  return { files, odd };
}

function directory(bytes: Uint8Array, view: DataView): Entry[] {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  if (count > MOST_ENTRIES) throw refuse(`The archive has more than ${MOST_ENTRIES} entries.`);
  let at = view.getUint32(end + 16, true);
  const entries: Entry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL) throw damaged();
    const [names, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    if (view.getUint16(at + 8, true) & 1) throw refuse('The archive is encrypted.');
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + names));
    const mode = (view.getUint32(at + 38, true) >>> 16) & FILE_TYPES;
    const isFolder = name.endsWith('/');
    entries.push({
      name,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
      isFolder,
      isOdd: !isFolder && mode !== 0 && mode !== REGULAR,
    });
    at += 46 + names + extra + comment;
  }
  return entries;
}

/** The record at the end, which a comment of at most 64 KiB may follow. */
function findEnd(view: DataView): number {
  const last = Math.max(0, view.byteLength - 22 - 0xff_ff);
  for (let at = view.byteLength - 22; at >= last; at -= 1) if (view.getUint32(at, true) === END) return at;
  throw damaged();
}

function unpack(bytes: Uint8Array, view: DataView, entry: Entry, left: number): Uint8Array {
  const { at, packed, size, method } = entry;
  if (size > left) throw refuse(`The archive unpacks to more than ${MOST_UNPACKED} bytes.`);
  if (size > RATIO_FROM && size > packed * MOST_RATIO)
    throw refuse('The archive unpacks to far more than it should: a bomb.');
  if (at + 30 > bytes.length || view.getUint32(at, true) !== LOCAL) throw damaged();
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (start + packed > bytes.length) throw damaged();
  const raw = bytes.subarray(start, start + packed);
  if (method !== 0 && method !== 8) throw refuse('The archive is packed in a way that cannot be read.');
  const data = method === 0 ? raw : inflate(raw, size);
  if (data.length !== size || crc32(data) !== entry.crc) throw damaged();
  return data;
}

function inflate(raw: Uint8Array, size: number): Uint8Array {
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(size, 1) });
  } catch (cause) {
    throw refuse('The archive is damaged, or unpacks to more than it says.', cause);
  }
}

const damaged = () => refuse('The archive is damaged.');
