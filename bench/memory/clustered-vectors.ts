import type { Embedder } from '#spec/ports';

const SPACE = 'bench-384';
const DIMENSIONS = 384;
const CENTRES = 800;
/** How far texts of one subject lie from each other: about a cosine of 0.6. */
const SPREAD = 0.8;

const centres: Float32Array[] = [];

/**
 * A unit vector that belongs to the text: it lies around one of the centres, as those of texts on one subject do. The
 * same text gives the same vector. No model is needed for measuring a store.
 */
function vectorOf(text: string): Float32Array {
  while (centres.length < CENTRES) centres.push(direction(centres.length + 1));
  const seed = fingerprint(text);
  const centre = centres[seed % CENTRES] as Float32Array;
  const own = direction(seed);
  return unit(own.map((value, at) => (centre[at] as number) + SPREAD * value));
}

export const clusteredEmbedder: Embedder = {
  embed: async (texts) => texts.map((text) => ({ space: SPACE, vector: vectorOf(text) })),
  close: async () => undefined,
};

function direction(seed: number): Float32Array {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
  return unit(Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5));
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

function fingerprint(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash >>> 0;
}
