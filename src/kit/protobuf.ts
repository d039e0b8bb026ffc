/** One field of a message, by its number. Absent values are left out, as the wire format wants it. */
export type Field =
  | readonly [number: number, kind: 'string', value: string | undefined]
  | readonly [number: number, kind: 'bytes', value: Uint8Array | undefined]
  | readonly [number: number, kind: 'uint', value: number | undefined]
  | readonly [number: number, kind: 'bool', value: boolean | undefined]
  | readonly [number: number, kind: 'float', value: number | undefined]
  | readonly [number: number, kind: 'message', value: readonly Field[] | undefined];

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

/** A message of protocol buffers. */
export function encodeMessage(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap((field) => (field[2] === undefined ? [] : encodeField(field))));
}

function encodeField([number, kind, value]: Field): Buffer[] {
  const tag = (wire: number) => varint(number * 8 + wire);
  if (kind === 'uint') return [tag(VARINT), varint(value ?? 0)];
  if (kind === 'bool') return [tag(VARINT), varint(value ? 1 : 0)];
  if (kind === 'float') {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value ?? 0);
    return [tag(FIXED32), bytes];
  }
  const bytes =
    kind === 'string'
      ? Buffer.from(value ?? '')
      : kind === 'bytes'
        ? Buffer.from(value ?? [])
        : encodeMessage(value ?? []);
  return [tag(LENGTH), varint(bytes.length), bytes];
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest ? low | 0x80 : low);
  } while (rest);
  return Buffer.from(bytes);
}

/** The fields that a message has, the last of each number. What is not there has the zero of its kind. */
export interface Message {
  text(number: number): string;
  bytes(number: number): Uint8Array;
  /** Signed, of 32 bits, as codes and states are. Undefined when it is not there. */
  int(number: number): number | undefined;
  message(number: number): Message | undefined;
}

/** One field as it stands on the wire: a number, the eight or four bytes of a fixed one, or bytes with a length. */
export interface WireField {
  readonly number: number;
  readonly wire: 'varint' | 'fixed64' | 'bytes' | 'fixed32';
  /** The number itself; of a fixed field or bytes, 0. */
  readonly value: bigint;
  /** What a fixed field or bytes hold; empty for a number. */
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array();

/** The fields of a message in their order. Throws a RangeError when its bytes end too early or are of no known kind. */
export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (length < 0 || at + length > bytes.length) throw new RangeError('The message ends too early.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const varintAt = (): bigint => {
    const [value, next] = readVarint(bytes, at);
    at = next;
    return value;
  };
  while (at < bytes.length) {
    const tag = Number(varintAt());
    const wire = tag % 8;
    const number = Math.floor(tag / 8);
    if (wire === VARINT) yield { number, wire: 'varint', value: varintAt(), bytes: NOTHING };
    else if (wire === LENGTH) yield { number, wire: 'bytes', value: 0n, bytes: take(Number(varintAt())) };
    else if (wire === FIXED64) yield { number, wire: 'fixed64', value: 0n, bytes: take(8) };
    else if (wire === FIXED32) yield { number, wire: 'fixed32', value: 0n, bytes: take(4) };
    else throw new RangeError(`The message has a field of the unknown kind ${wire}.`);
  }
}

/** The number at a place, and the place behind it. */
export function readVarint(bytes: Uint8Array, from: number): readonly [value: bigint, next: number] {
  let value = 0n;
  for (let at = from, shift = 0n; shift < 70n; at += 1, shift += 7n) {
    const byte = bytes[at];
    if (byte === undefined) throw new RangeError('The message ends too early.');
    if (at === from && byte < 0x80) return [BigInt(byte), at + 1];
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at + 1];
  }
  throw new RangeError('A number of the message has no end.');
}

/** Reads a message. Throws a RangeError when its bytes end too early or are of no known kind. */
export function decodeMessage(bytes: Uint8Array): Message {
  const fields = new Map<number, bigint | Uint8Array>();
  for (const field of wireFields(bytes)) {
    if (field.wire === 'varint') fields.set(field.number, field.value);
    else if (field.wire === 'bytes') fields.set(field.number, field.bytes);
  }
  const bytesOf = (field: number): Uint8Array | undefined => {
    const value = fields.get(field);
    return value instanceof Uint8Array ? value : undefined;
  };
  return {
    text: (field) => Buffer.from(bytesOf(field) ?? []).toString('utf8'),
    bytes: (field) => bytesOf(field) ?? new Uint8Array(),
    int: (field) => {
      const value = fields.get(field);
      return typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : undefined;
    },
    message: (field) => {
      const inner = bytesOf(field);
      return inner && decodeMessage(inner);
    },
  };
}
