/** The fields of a message of protocol buffers, in their order: numbers, and everything else as bytes. */
export type WireFields = readonly { readonly number: number; readonly value: number | Buffer }[];

export function readFields(bytes: Buffer): WireFields {
  const fields: { number: number; value: number | Buffer }[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('The message ends too early.');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = tag >> 3;
    const kind = tag & 7;
    if (kind === 0) fields.push({ number, value: varint() });
    else {
      const length = kind === 2 ? varint() : kind === 5 ? 4 : 8;
      fields.push({ number, value: bytes.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}

export const bytesIn = (fields: WireFields, number: number): Buffer => {
  const found = fields.findLast((field) => field.number === number)?.value;
  return Buffer.isBuffer(found) ? found : Buffer.alloc(0);
};
export const textIn = (fields: WireFields, number: number): string =>
  bytesIn(fields, number).toString('utf8');
export const textsIn = (fields: WireFields, number: number): string[] =>
  fields.flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value.toString('utf8')] : [],
  );
export const numberIn = (fields: WireFields, number: number): number => {
  const found = fields.findLast((field) => field.number === number)?.value;
  return typeof found === 'number' ? found : 0;
};

/** A message with texts, bytes and small numbers. */
export function writeFields(fields: Readonly<Record<number, string | Buffer | number | undefined>>): Buffer {
  return Buffer.concat(
    Object.entries(fields).flatMap(([number, value]) => {
      if (value === undefined) return [];
      if (typeof value === 'number') return [varintOf(Number(number) * 8), varintOf(value)];
      const bytes = Buffer.from(value as Buffer);
      return [varintOf(Number(number) * 8 + 2), varintOf(bytes.length), bytes];
    }),
  );
}

function varintOf(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
