import type { ImagePart } from '#spec/data';

type ImageType = ImagePart['mediaType'];

const IMAGES: readonly (readonly [ImageType, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
];

const KINDS: readonly (readonly [string, RegExp])[] = [
  ['PDF document', /^%PDF-/],
  ['ELF program', /^\x7fELF/],
  ['Windows program', /^MZ/],
  ['Mach-O program', /^(?:\xcf\xfa\xed\xfe|\xfe\xed\xfa\xcf|\xca\xfe\xba\xbe)/],
  ['SQLite database', /^SQLite format 3\0/],
  ['zip archive', /^PK\x03\x04/],
  ['gzip archive', /^\x1f\x8b/],
  ['zstd archive', /^\x28\xb5\x2f\xfd/],
  ['xz archive', /^\xfd7zXZ\0/],
  ['bzip2 archive', /^BZh[1-9]/],
  ['tar archive', /^[^]{257}ustar/],
  ['WebAssembly module', /^\0asm/],
  ['Parquet table', /^PAR1/],
  ['BMP image', /^BM[^]{4}\0\0\0\0/],
  ['MP4 video', /^[^]{4}ftyp/],
  ['Ogg audio', /^OggS/],
  ['MP3 audio', /^(?:ID3|\xff\xfb)/],
];

/** What a model can look at, by the first bytes. */
export const imageType = (head: Uint8Array): ImageType | undefined => match(IMAGES, head);

/** What a file that is no text seems to be. */
export const binaryKind = (head: Uint8Array): string => match(KINDS, head) ?? 'binary data';

function match<T>(table: readonly (readonly [T, RegExp])[], head: Uint8Array): T | undefined {
  const start = Buffer.from(head.subarray(0, 512)).toString('latin1');
  return table.find(([, pattern]) => pattern.test(start))?.[0];
}

/** `17 bytes`, `3.2 MB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
