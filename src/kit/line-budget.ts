import { openRateLimit, type Rate } from './rate-limit.ts';

/**
 * How many lines somebody may cause in a record: a burst, then few. Gives how many lines of this key were left out since
 * its last one, or undefined where this one is to be left out too.
 */
export function lineBudget(rate: Rate, now: () => number): (key: string) => number | undefined {
  const lines = openRateLimit(rate, now);
  const leftOut = new Map<string, number>();
  return (key) => {
    const before = leftOut.get(key) ?? 0;
    leftOut.delete(key);
    if (!lines.take(key)) return before;
    if (leftOut.size >= MOST_KEYS) leftOut.clear();
    leftOut.set(key, before + 1);
    return undefined;
  };
}

const MOST_KEYS = 10_000;

/** Sixty at once, then one a minute: whoever knocks must not fill the audit log. */
export const KNOCKS: Rate = { perSecond: 1 / 60, burst: 60 };
