import type { ImagePart } from '#spec/data';

type ImageType = ImagePart['mediaType'];

/** A kind, where its mark stands, and the mark, a character a byte. */
type Mark<T> = readonly [kind: T, at: number, mark: string];

const IMAGES: readonly Mark<ImageType>[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBP'],
];

const KINDS: readonly Mark<string>[] = [
  ['PDF document', 0, '%PDF-'],
  ['ELF program', 0, '\x7fELF'],
  ['Windows program', 0, 'MZ'],
  ['Mach-O program', 0, '\xcf\xfa\xed\xfe'],
  ['Java class', 0, '\xca\xfe\xba\xbe'],
  ['SQLite database', 0, 'SQLite format 3\0'],
  ['zip archive', 0, 'PK\x03\x04'],
  ['gzip archive', 0, '\x1f\x8b'],
  ['zstd archive', 0, '\x28\xb5\x2f\xfd'],
  ['xz archive', 0, '\xfd7zXZ\0'],
  ['bzip2 archive', 0, 'BZh'],
  ['tar archive', 257, 'ustar'],
  ['WebAssembly module', 0, '\0asm'],
  ['Parquet table', 0, 'PAR1'],
  ['MP4 video', 4, 'ftyp'],
  ['Ogg audio', 0, 'OggS'],
  ['MP3 audio', 0, 'ID3'],
];

/** What a model can look at, by the first bytes. */
export const imageType = (head: Uint8Array): ImageType | undefined => match(IMAGES, head);

/** What a file that is no text seems to be. */
export const binaryKind = (head: Uint8Array): string => match(KINDS, head) ?? 'binary data';

function match<T>(table: readonly Mark<T>[], head: Uint8Array): T | undefined {
  const start = Buffer.from(head.subarray(0, 512)).toString('latin1');
  return table.find(([, at, mark]) => start.startsWith(mark, at))?.[0];
}

/** `17 bytes`, `3.2 MB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
