const FIRST_MS = 2_000;
const MOST_MS = 60_000;

/** How long to wait before the given retry (from 1): doubling from 2 s to at most 60 s, plus up to half of it. */
export function backoffMs(retry: number, random: () => number): number {
  const base = Math.min(MOST_MS, FIRST_MS * 2 ** (retry - 1));
  return Math.round(base * (1 + random() / 2));
}
