import type { MemoryTerms, NewMemory } from '#spec/ports';

export const ANN = 'person/cli/ann';
export const BOB = 'person/cli/bob';
export const TEAM = 'team';

/** A fact of Ann's, unless told otherwise. */
export function sampleMemory(text: string, more: Partial<NewMemory> = {}): NewMemory {
  return { scope: ANN, kind: 'fact', text, provenance: { by: 'user', session: 's1' }, at: 500, ...more };
}

export function sampleTerms(
  id: string,
  text: string,
  more: Partial<MemoryTerms['fields']> = {},
): MemoryTerms {
  return { id, fields: { text, speaker: '', previous: '', next: '', date: '', ...more } };
}

/** A unit vector that points to where `angle` says, in the plane of two of its dimensions. */
export function sampleVector(angle: number, dimensions = 48, first = 0): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[first] = Math.cos(angle);
  vector[first + 1] = Math.sin(angle);
  return vector;
}

/** Unit vectors in every direction; the same seed gives the same ones. */
export function scatteredVectors(count: number, dimensions: number, seed = 1): readonly Float32Array[] {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from(
      { length: dimensions },
      () => random() + random() + random() + random() - 2,
    );
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}
