/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to, not including, 1. */
  unit(): number;
  between(low: number, high: number): number;
  /** Every order of magnitude as likely as the next. */
  logBetween(low: number, high: number): number;
  /** Both ends belong to it. */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  weighted<T>(entries: readonly (readonly [T, number])[]): T;
  /** Up to so many different ones, in a random order. */
  some<T>(items: readonly T[], count: number): T[];
  normal(): number;
  /** Mean `shape`. */
  gamma(shape: number): number;
  poisson(mean: number): number;
  hex(length: number): string;
  /** An independent stream: what is drawn from it moves nothing that is drawn from this one. */
  fork(name: string): Random;
}

/** From here on a normal curve stands for counted things. */
const MANY = 60;

export function openRandom(seed: string): Random {
  const unit = generator(seed);
  let spare: number | undefined;
  const normal = (): number => {
    if (spare !== undefined) {
      const kept = spare;
      spare = undefined;
      return kept;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - unit()));
    const angle = 2 * Math.PI * unit();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
  const between = (low: number, high: number): number => low + (high - low) * unit();
  const int = (low: number, high: number): number => low + Math.floor(unit() * (high - low + 1));
  const random: Random = {
    unit,
    between,
    logBetween: (low, high) => Math.exp(between(Math.log(low), Math.log(high))),
    int,
    chance: (probability) => unit() < probability,
    pick: <T>(items: readonly T[]): T => items[int(0, items.length - 1)] as T,
    weighted: <T>(entries: readonly (readonly [T, number])[]): T => {
      let left = unit() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of entries) {
        left -= weight;
        if (left < 0) return item;
      }
      return (entries.at(-1) as readonly [T, number])[0];
    },
    some: <T>(items: readonly T[], count: number): T[] => {
      const left = [...items];
      const taken: T[] = [];
      while (taken.length < count && left.length > 0) taken.push(...left.splice(int(0, left.length - 1), 1));
      return taken;
    },
    normal,
    gamma: (shape) => gamma(shape, unit, normal),
    poisson: (mean) =>
      mean > MANY ? Math.max(0, Math.round(mean + Math.sqrt(mean) * normal())) : poisson(mean, unit),
    hex: (length) => {
      let text = '';
      while (text.length < length) text += Math.floor(unit() * 16).toString(16);
      return text;
    },
    fork: (name) => openRandom(`${seed}/${name}`),
  };
  return random;
}

/** Chris Doty-Humphrey's small fast counting generator over 128 bits, begun from a mixed hash of the seed. */
function generator(seed: string): () => number {
  let [a, b, c] = [hash(seed, 1), hash(seed, 2), hash(seed, 3)];
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let warm = 0; warm < 12; warm++) next();
  return next;
}

function hash(text: string, salt: number): number {
  let state = Math.imul(salt, 0x9e3779b1) ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return state ^ (state >>> 16);
}

/** After Marsaglia and Tsang. */
function gamma(shape: number, unit: () => number, normal: () => number): number {
  if (shape < 1) return gamma(shape + 1, unit, normal) * (1 - unit()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal();
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - unit()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

function poisson(mean: number, unit: () => number): number {
  const floor = Math.exp(-mean);
  let count = 0;
  for (let product = unit(); product > floor; product *= unit()) count++;
  return count;
}
