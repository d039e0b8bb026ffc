import { likenessTable } from './vector-codec.ts';

/** Keys and codes of vectors that are looked through together. Key 0 is an empty place; codes begin at a whole word. */
export interface VectorBlock {
  readonly keys: Float64Array;
  readonly codes: Uint8Array;
}

export function toBlock(keys: Buffer, codes: Buffer): VectorBlock {
  const whole = aligned(keys, 8);
  return {
    keys: new Float64Array(whole.buffer, whole.byteOffset, whole.length / 8),
    codes: aligned(codes, 4),
  };
}

const aligned = (bytes: Uint8Array, width: number): Uint8Array =>
  bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);

export const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Blocks one after the other, as one. */
export function joinBlocks(blocks: readonly VectorBlock[]): VectorBlock {
  const keys = new Float64Array(blocks.reduce((sum, block) => sum + block.keys.length, 0));
  const codes = new Uint8Array(blocks.reduce((sum, block) => sum + block.codes.length, 0));
  let [key, code] = [0, 0];
  for (const block of blocks) {
    keys.set(block.keys, key);
    codes.set(block.codes, code);
    key += block.keys.length;
    code += block.codes.length;
  }
  return { keys, codes };
}

/** So many classes of likeness are told apart. */
const CLASS_BITS = 12;
const CLASSES = 2 ** CLASS_BITS;

/** Of each block, the keys whose codes are most like the vector: at least `wanted` in all, and hardly more. */
export function nearestKeys(
  blocks: readonly VectorBlock[],
  vector: Float32Array,
  wanted: number,
): readonly (readonly number[])[] {
  const table = likenessTable(vector);
  let most = 0;
  for (let start = 0; start < table.length; start += 256) most += mostOf(table, start);
  const counts = new Uint32Array(CLASSES);
  const classes = blocks.map((block) => likenessClasses(block, table, most, counts));
  let lowest = CLASSES;
  for (let sum = 0; sum < wanted && lowest > 0; ) sum += counts[--lowest] as number;
  return blocks.map(({ keys }, at) => {
    const list = classes[at] as Uint16Array;
    const found: number[] = [];
    for (let i = 0; i < keys.length; i++)
      if ((list[i] as number) >= lowest && keys[i] !== 0) found.push(keys[i] as number);
    return found;
  });
}

/**
 * How like the vector each code is, from the least to the most that there can be; each is counted. This is where a search
 * among many spends its time: four bytes of a code are taken at once.
 */
function likenessClasses(
  { keys, codes }: VectorBlock,
  table: Int32Array,
  most: number,
  counts: Uint32Array,
): Uint16Array {
  const shift = Math.max(0, 32 - Math.clz32(2 * most) - CLASS_BITS);
  const classes = new Uint16Array(keys.length);
  const words = new Int32Array(codes.buffer, codes.byteOffset, codes.length / 4);
  for (let i = 0, place = 0; i < keys.length; i++) {
    let even = most;
    let odd = 0;
    for (let start = 0; start < table.length; start += 1_024, place++) {
      const word = words[place] as number;
      const first = table[start | (word & 255)] as number;
      const second = table[(start + 256) | ((word >>> 8) & 255)] as number;
      const third = table[(start + 512) | ((word >>> 16) & 255)] as number;
      const fourth = table[(start + 768) | (word >>> 24)] as number;
      even = (even + first + third) | 0;
      odd = (odd + second + fourth) | 0;
    }
    const found = (even + odd) >>> shift;
    classes[i] = found;
    if (keys[i] !== 0) counts[found] = (counts[found] as number) + 1;
  }
  return classes;
}

/** What one byte can add at most, or take away. */
function mostOf(table: Int32Array, start: number): number {
  let most = 0;
  for (let value = 0; value < 256; value++) most = Math.max(most, Math.abs(table[start + value] as number));
  return most;
}

/** The block without one of its keys, or undefined when it does not have it. */
export function withoutKey({ keys, codes }: VectorBlock, key: number): VectorBlock | undefined {
  const place = keys.indexOf(key);
  if (place < 0) return undefined;
  const bytes = codes.length / keys.length;
  const left = { keys: keys.slice(), codes: Uint8Array.from(codes) };
  left.keys[place] = 0;
  left.codes.fill(0, place * bytes, (place + 1) * bytes);
  return left;
}

export function makeBlock(
  members: readonly { readonly n: number; readonly code: Uint8Array }[],
): VectorBlock {
  const bytes = members[0]?.code.length ?? 0;
  const keys = new Float64Array(members.length);
  const codes = new Uint8Array(members.length * bytes);
  for (const [at, { n, code }] of members.entries()) {
    keys[at] = n;
    codes.set(code, at * bytes);
  }
  return { keys, codes };
}
