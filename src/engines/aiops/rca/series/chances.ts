/** Stirling's series for the logarithm of the gamma function, shifted to where it is exact to ten digits. */
function logGamma(value: number): number {
  let shift = 0;
  let at = value;
  for (; at < 10; at++) shift -= Math.log(at);
  const square = 1 / (at * at);
  return (
    shift +
    (at - 0.5) * Math.log(at) -
    at +
    0.5 * Math.log(2 * Math.PI) +
    (1 / 12 - square * (1 / 360 - square / 1260)) / at
  );
}

const logBeta = (one: number, other: number): number =>
  logGamma(one) + logGamma(other) - logGamma(one + other);

/** How much nobody knows before the first one was counted (Jeffreys). */
const PRIOR = 0.5;

/** The chance of this many out of so many, or more, where so many out of so many were usual: a beta-binomial tail. */
export function countChance(
  before: { hits: number; of: number },
  during: { hits: number; of: number },
): number {
  const [one, other] = [before.hits + PRIOR, Math.max(0, before.of - before.hits) + PRIOR];
  const base = logBeta(one, other);
  let below = 0;
  for (let hits = 0; hits < Math.min(during.hits, during.of); hits++) {
    const ways = -Math.log(during.of + 1) - logBeta(hits + 1, during.of - hits + 1);
    below += Math.exp(ways + logBeta(hits + one, during.of - hits + other) - base);
  }
  return Math.max(0, 1 - below);
}

/** The chance that values lie as far above others as these do, by their ranks (Mann and Whitney, with ties). */
export function rankChance(before: readonly number[], during: readonly number[]): number {
  const all = [
    ...before.map((value) => ({ value, late: 0 })),
    ...during.map((value) => ({ value, late: 1 })),
  ].sort((one, other) => one.value - other.value);
  const [few, many] = [during.length, before.length];
  const total = few + many;
  let ranks = 0;
  let ties = 0;
  for (let from = 0; from < total; ) {
    let to = from;
    while (to < total && (all[to] as { value: number }).value === (all[from] as { value: number }).value)
      to++;
    for (let at = from; at < to; at++) if ((all[at] as { late: number }).late) ranks += (from + to + 1) / 2;
    ties += (to - from) ** 3 - (to - from);
    from = to;
  }
  const spread = Math.sqrt(((few * many) / 12) * (total + 1 - ties / (total * (total - 1))));
  if (!(spread > 0)) return 1;
  return upperNormal((ranks - (few * (few + 1)) / 2 - (few * many) / 2 - 0.5) / spread);
}

/** The upper tail of the normal distribution (Abramowitz and Stegun 26.2.17). */
export function upperNormal(value: number): number {
  if (value < 0) return 1 - upperNormal(-value);
  const t = 1 / (1 + 0.2316419 * value);
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
