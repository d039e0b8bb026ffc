import { fail } from '#kit/app-error';

/** Bytes before the dimensions: what one step of a byte is worth. */
const SCALE_BYTES = 4;

/** A vector as it is kept: one byte a dimension, by the largest of them. */
export function packVector(vector: Float32Array): Buffer {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (!Number.isFinite(largest)) throw fail('input.invalid', 'a vector has a value that is not a number');
  const packed = Buffer.alloc(SCALE_BYTES + vector.length);
  packed.writeFloatLE(largest / 127, 0);
  if (largest === 0) return packed;
  for (const [at, value] of vector.entries())
    packed.writeInt8(Math.round((value / largest) * 127), SCALE_BYTES + at);
  return packed;
}

/** The cosine of a unit vector and a packed one. */
export function similarity(vector: Float32Array, packed: Buffer): number {
  let sum = 0;
  for (let at = 0, place = SCALE_BYTES; place < packed.length; at++, place++)
    sum += (vector[at] as number) * (((packed[place] as number) << 24) >> 24);
  return sum * packed.readFloatLE(0);
}

/** Whole words of four bytes. */
const codeBytes = (dimensions: number): number => Math.ceil(dimensions / 32) * 4;

/** One bit a dimension: whether it is above zero. */
export function codeOf(packed: Buffer): Uint8Array {
  const code = new Uint8Array(codeBytes(packed.length - SCALE_BYTES));
  for (let at = 0; at < packed.length - SCALE_BYTES; at++)
    if (packed.readInt8(SCALE_BYTES + at) > 0) code[at >>> 3] = (code[at >>> 3] as number) | (1 << (at & 7));
  return code;
}

const STEPS = 2 ** 20;

/**
 * For each byte of a code and each value of that byte, what it adds to the likeness with a vector: the dimensions of the
 * vector, taken away where the bit is not set. In whole numbers, so that adding them is quick.
 */
export function likenessTable(vector: Float32Array): Int32Array {
  const table = new Int32Array(codeBytes(vector.length) * 256);
  const stepsAt = (at: number): number => Math.round((vector[at] ?? 0) * STEPS);
  for (let start = 0; start < table.length; start += 256) {
    const first = start / 32;
    for (let bit = 0; bit < 8; bit++) table[start] = (table[start] as number) - stepsAt(first + bit);
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value);
      table[start + value] = (table[start + (value & (value - 1))] as number) + 2 * stepsAt(first + lowest);
    }
  }
  return table;
}
