/** The share of a normal curve above `z`; good to seven digits, after Abramowitz and Stegun 26.2.17. */
function upperTail(z: number): number {
  if (z < 0) return 1 - upperTail(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const poly =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 0.3989422804014327 * Math.exp(-0.5 * z * z) * poly;
}

/** How long requests take: most around a median with a tail, and a share that takes `slowMs` longer. */
export interface Duration {
  readonly median: number;
  readonly spread: number;
  readonly slowShare: number;
  readonly slowMs: number;
}

/** The share of requests that take longer than `limit`. */
export function longerThan({ median, spread, slowShare, slowMs }: Duration, limit: number): number {
  const plain = upperTail(Math.log(limit / median) / spread);
  if (slowShare <= 0) return plain;
  return plain * (1 - slowShare) + slowShare * upperTail(Math.log(limit / (median + slowMs)) / spread);
}

/** The upper tails that quantiles stand for, and how far out on a normal curve they lie. */
const QUANTILES = {
  p50: [0.5, 0],
  p90: [0.1, 1.2816],
  p95: [0.05, 1.6449],
  p99: [0.01, 2.3263],
} as const;
export type Quantile = keyof typeof QUANTILES;

const NO_SLOW_SHARE = 0.002;
const HALVINGS = 14;

export function quantileOf(duration: Duration, quantile: Quantile): number {
  const [tail, z] = QUANTILES[quantile];
  const { median, spread, slowShare, slowMs } = duration;
  const plain = median * Math.exp(z * spread);
  if (slowShare < NO_SLOW_SHARE || slowMs < 0.02 * median) return plain;
  let [low, high] = [Math.log(plain), Math.log((median + slowMs) * Math.exp(z * spread))];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (longerThan(duration, Math.exp(middle)) > tail) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}

/** How much longer than its work a request takes at a place that is so busy. */
export function queueing(busy: number): number {
  const full = Math.min(busy, 0.97);
  return 1 + (0.6 * full * full) / (1 - full);
}

/** The share of requests that nobody gets to any more. */
export const overload = (busy: number): number => (busy > 1 ? 1 - 1 / busy : 0);
