/** How much nobody knows before the first one was counted (Jeffreys). */
const PRIOR = 0.5;
/** More calls than these are counted as so many: whoever counts millions knows no more. */
const MOST = 1_000_000;

interface Counted {
  readonly hits: number;
  readonly of: number;
}

/** The chance of this many out of so many, or more, where so many out of so many were usual: a beta-binomial tail. */
export function countChance(before: Counted, during: Counted): number {
  const usual = thinned(before);
  const { hits, of } = thinned(during);
  const [one, other] = [usual.hits + PRIOR, Math.max(0, usual.of - usual.hits) + PRIOR];
  // From none on, each count by the one before it.
  let log = 0;
  for (let call = 0; call < of; call++) log += Math.log((other + call) / (one + other + call));
  let below = 0;
  for (let count = 0; count < Math.min(hits, of); count++) {
    below += Math.exp(log);
    log += Math.log(((of - count) * (one + count)) / ((count + 1) * (other + of - count - 1)));
  }
  return Math.max(0, 1 - below);
}

function thinned({ hits, of }: Counted): Counted {
  const share = Math.min(1, MOST / Math.max(1, of));
  return { hits: Math.round(hits * share), of: Math.round(of * share) };
}

/** The chance that of two that are alike one is the larger this often, or more often: a toss of a coin each time. */
export function signChance(wins: number, of: number): number {
  let [tail, log] = [0, -of * Math.log(2)];
  for (let count = of; count >= wins; count--) {
    tail += Math.exp(log);
    log += Math.log(count / (of - count + 1));
  }
  return Math.min(1, tail);
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

/** The upper tail of the normal distribution, by the series of its density around 0 and, further out, by a bound. */
function upperNormal(value: number): number {
  if (value < 0) return 1 - upperNormal(-value);
  const density = Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI);
  if (value > FAR) return density / value;
  let [term, sum] = [value, value];
  for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
    term *= (value * value) / odd;
    sum += term;
  }
  return Math.max(0, 0.5 - density * sum);
}
/** From here on the series is no better than what is left of the tail. */
const FAR = 6;
