import type { FetchedTree, HubFile } from '#spec/ports';
import { MOST_ENTRIES } from './limits.ts';
import { refuse } from './refuse.ts';

const BLOCK = 512;
const MOST_NAME = 4_096;

type Tree = Pick<FetchedTree, 'files' | 'odd'>;

/**
 * The plain files of a tar archive: ustar, with the long names of pax and GNU. Nothing is written. A reader of our own,
 * because every size in it decides where the next header is: a wrong or negative one must end the reading, not repeat it.
 */
export function readTar(bytes: Uint8Array): Tree {
  const files: HubFile[] = [];
  const odd: string[] = [];
  let longName: string | undefined;
  let entries = 0;
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    if (!checksumHolds(header)) throw refuse('The archive is damaged: a header does not add up.');
    entries += 1;
    if (entries > MOST_ENTRIES) throw refuse(`The archive has more than ${MOST_ENTRIES} entries.`);
    const size = sizeIn(header);
    const start = at + BLOCK;
    if (start + size > bytes.length) throw refuse('The archive is cut short.');
    const data = bytes.subarray(start, start + size);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'g') continue;
    if (type === 'x' || type === 'L') {
      longName = (type === 'x' ? paxPath(data) : text(data)) ?? longName;
      if ((longName?.length ?? 0) > MOST_NAME) throw refuse('A name in the archive is too long.');
      continue;
    }
    const name = (longName ?? nameIn(header)).replace(/^(?:\.\/)+/, '');
    longName = undefined;
    if (type === '5' || name === '' || name === '.') continue;
    if (type === '0' || type === '\0' || type === '7') files.push({ path: name, bytes: data });
    else odd.push(name);
  }
  return { files, odd };
}

function nameIn(header: Uint8Array): string {
  const name = text(header.subarray(0, 100));
  const prefix = text(header.subarray(257, 263)).startsWith('ustar') ? text(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function sizeIn(header: Uint8Array): number {
  const written = text(header.subarray(124, 136)).trim();
  if (!/^[0-7]{1,12}$/.test(written)) throw refuse('The archive is damaged: an entry has no size.');
  return Number.parseInt(written, 8);
}

/** The sum of all bytes, with the sum itself counted as blanks. */
function checksumHolds(header: Uint8Array): boolean {
  const written = Number.parseInt(text(header.subarray(148, 156)).trim(), 8);
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  return sum === written;
}

/** `27 path=some/long/name\n`, among others. */
function paxPath(data: Uint8Array): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < data.length; ) {
    const blank = data.indexOf(32, at);
    const length = Number.parseInt(text(data.subarray(at, Math.max(blank, at))), 10);
    if (blank < 0 || !(length > 0) || at + length > data.length)
      throw refuse('The archive is damaged: a long name.');
    const record = text(data.subarray(blank + 1, at + length - 1));
    if (record.startsWith('path=')) found = record.slice(5);
    at += length;
  }
  return found;
}

function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
