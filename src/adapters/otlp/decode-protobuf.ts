import { readVarint, type WireField, wireFields } from '#kit/protobuf';
import type { Kind, Shape } from './shapes.ts';

/** Values may hold values; nobody writes them deeper than this by hand. */
const DEEPEST = 40;

/** A message of protocol buffers as the JSON that OTLP has for it. Throws a RangeError when the bytes are none. */
export function decodeProtobuf(bytes: Uint8Array, shape: Shape, depth = 0): Record<string, unknown> {
  if (depth > DEEPEST) throw new RangeError('The message is nested too deeply.');
  const out: Record<string, unknown> = {};
  for (const field of wireFields(bytes)) {
    const known = shape[field.number];
    if (!known) continue;
    const [name, kind, many] = known;
    if (!many) {
      out[name] = valueOf(field, kind, depth);
      continue;
    }
    const list = (out[name] ??= []) as unknown[];
    if (field.wire === 'bytes' && (kind === 'fixed64' || kind === 'double' || kind === 'int'))
      list.push(...packed(field.bytes, kind));
    else list.push(valueOf(field, kind, depth));
  }
  return out;
}

function valueOf({ wire, value, bytes }: WireField, kind: Kind, depth: number): unknown {
  const expected =
    kind === 'bool' || kind === 'int'
      ? 'varint'
      : kind === 'fixed64' || kind === 'sfixed64' || kind === 'double'
        ? 'fixed64'
        : 'bytes';
  if (wire !== expected)
    throw new RangeError(`A field of the message is of the kind ${wire} where ${expected} belongs.`);
  if (typeof kind === 'function') return decodeProtobuf(bytes, kind(), depth + 1);
  switch (kind) {
    case 'bool':
      return value !== 0n;
    case 'int':
      return String(BigInt.asIntN(64, value));
    case 'text':
      return Buffer.from(bytes).toString('utf8');
    case 'hex':
      return Buffer.from(bytes).toString('hex');
    case 'base64':
      return Buffer.from(bytes).toString('base64');
    default:
      return fixed(bytes, 0, kind);
  }
}

function fixed(bytes: Uint8Array, at: number, kind: 'fixed64' | 'sfixed64' | 'double'): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 8);
  if (kind === 'double') return view.getFloat64(0, true);
  return String(kind === 'fixed64' ? view.getBigUint64(0, true) : view.getBigInt64(0, true));
}

/** Numbers of a repeated field without tags between them. */
function packed(bytes: Uint8Array, kind: 'fixed64' | 'double' | 'int'): unknown[] {
  const out: unknown[] = [];
  if (kind === 'int') {
    for (let at = 0; at < bytes.length; ) {
      const [value, next] = readVarint(bytes, at);
      out.push(String(BigInt.asIntN(64, value)));
      at = next;
    }
    return out;
  }
  if (bytes.length % 8) throw new RangeError('A list of the message ends too early.');
  for (let at = 0; at < bytes.length; at += 8) out.push(fixed(bytes, at, kind));
  return out;
}
