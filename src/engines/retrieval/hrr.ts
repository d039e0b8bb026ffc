/**
 * Holographic reduced representations, kept in the frequency domain: there circular convolution is the product of complex
 * numbers. The parts of an atom all have the length 1 and random angles, so that it can be taken off again.
 */
export interface Hologram {
  readonly real: Float32Array;
  readonly imaginary: Float32Array;
}

const HRR_SIZE = 1_024;

const ANGLES = 256;
const COSINES = Float32Array.from({ length: ANGLES }, (_, at) => Math.cos((at / ANGLES) * 2 * Math.PI));
const SINES = Float32Array.from({ length: ANGLES }, (_, at) => Math.sin((at / ANGLES) * 2 * Math.PI));

/** The same text always gives the same atom; two texts have nothing in common. */
export function atom(text: string, size = HRR_SIZE): Hologram {
  const made = empty(size);
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  for (let at = 0; at < size; at++) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const angle = ((mixed ^ (mixed >>> 14)) >>> 0) % ANGLES;
    made.real[at] = COSINES[angle] as number;
    made.imaginary[at] = SINES[angle] as number;
  }
  return made;
}

/** What fills a role. Neither can be seen in it without the other. A bundle is bound as each of its members is. */
export const bind = (role: Hologram, filler: Hologram): Hologram => product(role, filler, 1);

/** What fills a role, with the noise of everything else that is bound. */
export const unbind = (bound: Hologram, role: Hologram): Hologram => product(role, bound, -1);

/** Everything at once, each with its weight. */
export function bundle(
  parts: Iterable<{ readonly part: Hologram; readonly weight: number }>,
  size = HRR_SIZE,
): Hologram {
  const sum = empty(size);
  for (const { part, weight } of parts) {
    for (let at = 0; at < size; at++) {
      sum.real[at] = (sum.real[at] as number) + weight * (part.real[at] as number);
      sum.imaginary[at] = (sum.imaginary[at] as number) + weight * (part.imaginary[at] as number);
    }
  }
  return sum;
}

/** The cosine of two holograms: near 0 where they have nothing in common. */
export function alikeness(a: Hologram, b: Hologram): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let at = 0; at < a.real.length; at++) {
    const [ar, ai] = [a.real[at] as number, a.imaginary[at] as number];
    const [br, bi] = [b.real[at] as number, b.imaginary[at] as number];
    dot += ar * br + ai * bi;
    aa += ar * ar + ai * ai;
    bb += br * br + bi * bi;
  }
  return aa > 0 && bb > 0 ? dot / Math.sqrt(aa * bb) : 0;
}

const empty = (size: number): Hologram => ({
  real: new Float32Array(size),
  imaginary: new Float32Array(size),
});

/** With the sign -1 the first factor is conjugated, which takes it off. */
function product(first: Hologram, second: Hologram, sign: 1 | -1): Hologram {
  const made = empty(second.real.length);
  for (let at = 0; at < second.real.length; at++) {
    const [ar, ai] = [first.real[at] as number, sign * (first.imaginary[at] as number)];
    const [br, bi] = [second.real[at] as number, second.imaginary[at] as number];
    made.real[at] = ar * br - ai * bi;
    made.imaginary[at] = ar * bi + ai * br;
  }
  return made;
}
