import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip archive. */
export interface ZipEntry {
  readonly name: string;
  readonly text?: string | Uint8Array;
  /** Unix mode with the file's type: `0o120777` is a link. */
  readonly mode?: number;
  /** In place of the true size. */
  readonly size?: number;
  readonly encrypted?: true;
}

/** The bytes of a zip archive, which may lie about itself. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { local, listed } = records(entry, at);
    parts.push(local);
    central.push(listed);
    at += local.length;
  }
  const listing = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listing, end]);
}

function records({ name, text = '', mode = 0o100_644, size, encrypted }: ZipEntry, at: number) {
  const data = Buffer.from(text);
  const packed = deflateRawSync(data);
  const names = Buffer.from(name);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(encrypted ? 1 : 0, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(data), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(size ?? data.length, 18);
  fields.writeUInt16LE(names.length, 22);
  const local = Buffer.concat([signature(0x04_03_4b_50), fields, names, packed]);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE((mode << 16) >>> 0, 6);
  rest.writeUInt32LE(at, 10);
  const made = Buffer.from([20, 3]);
  const listed = Buffer.concat([signature(0x02_01_4b_50), made, fields, rest, names]);
  return { local, listed };
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value, 0);
  return bytes;
}
