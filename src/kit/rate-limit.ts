export interface Rate {
  readonly perSecond: number;
  /** What may come at once after a pause. */
  readonly burst: number;
}

export interface RateLimit {
  /** Takes one. Gives 0, or after how many milliseconds the next one is there; nothing is taken then. */
  take(key: string): number;
}

/** More keys than that are not remembered: the one that was quiet for longest is forgotten first. */
const MOST_KEYS = 10_000;

/** A bucket of tokens for each key. */
export function openRateLimit({ perSecond, burst }: Rate, now: () => number): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const filled = (key: string): { tokens: number; at: number } => {
    const at = now();
    const known = buckets.get(key);
    const gained = known ? (Math.max(0, at - known.at) / 1000) * perSecond : burst;
    return { tokens: Math.min(burst, (known?.tokens ?? 0) + gained), at };
  };
  const missing = (tokens: number): number =>
    tokens >= 1 ? 0 : Math.max(1, Math.ceil(((1 - tokens) / perSecond) * 1000));
  return {
    take(key) {
      const bucket = filled(key);
      const wait = missing(bucket.tokens);
      // Put back at the end: the order of the map is the order of use.
      buckets.delete(key);
      buckets.set(key, wait ? bucket : { ...bucket, tokens: bucket.tokens - 1 });
      if (buckets.size > MOST_KEYS) {
        for (const oldest of buckets.keys()) {
          buckets.delete(oldest);
          break;
        }
      }
      return wait;
    },
  };
}
