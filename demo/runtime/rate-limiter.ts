export interface RateLimiter {
  /** Whether one more request of this client is within the limit. Half a second's worth may come at once. */
  admit(client: string): boolean;
  /** Requests of this client in the last second, refused ones included. */
  seen(client: string): number;
}

const MOST_CLIENTS = 1_000;
const BURST_SECONDS = 0.5;

/** A bucket for each client, refilled with `perSecond` tokens a second. The limit may change at any time. */
export function createRateLimiter(perSecond: () => number, now: () => number): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number; recent: number[] }>();
  return {
    admit: (client) => {
      const limit = perSecond();
      const at = now();
      if (buckets.size > MOST_CLIENTS) buckets.clear();
      const bucket = buckets.get(client) ?? { tokens: limit * BURST_SECONDS, at, recent: [] };
      buckets.set(client, bucket);
      bucket.tokens = Math.min(
        Math.max(1, limit * BURST_SECONDS),
        bucket.tokens + ((at - bucket.at) / 1000) * limit,
      );
      bucket.at = at;
      bucket.recent = [...bucket.recent.filter((time) => time > at - 1000), at];
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    seen: (client) => buckets.get(client)?.recent.length ?? 0,
  };
}
