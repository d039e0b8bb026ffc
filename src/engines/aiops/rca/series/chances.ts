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

/** The chance that values lie as far above others as these do, by their ranks (Mann and Whitney), at most. */
export function rankChance(before: readonly number[], during: readonly number[]): number {
  const all = [
    ...before.map((value) => ({ value, late: false })),
    ...during.map((value) => ({ value, late: true })),
  ].sort((one, other) => one.value - other.value);
  let ranks = 0;
  for (let from = 0; from < all.length; ) {
    const same = all.findIndex(({ value }, at) => at > from && value !== all[from]?.value);
    const to = same < 0 ? all.length : same;
    // Those that are alike share the ranks between them.
    ranks += (all.slice(from, to).filter(({ late }) => late).length * (from + to + 1)) / 2;
    from = to;
  }
  const [few, many] = [during.length, before.length];
  const above = ranks - (few * (few + many + 1)) / 2;
  const sigmas = above / Math.sqrt((few * many * (few + many + 1)) / 12);
  // The bound of Mills on the tail of the normal distribution: its density by how far out it is.
  const density = Math.exp(-(sigmas ** 2) / 2) / Math.sqrt(2 * Math.PI);
  return sigmas > 0 ? Math.min(1, density / sigmas) : 1;
}
