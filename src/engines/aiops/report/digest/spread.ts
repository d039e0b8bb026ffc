import type { DigestSpread } from '#spec/data';

export type Timed = DigestSpread['values'][number];

export function spreadOf(times: readonly Timed[]): DigestSpread {
  // Clocks of others may be ahead of ours.
  const values = times
    .map(({ incident, ms }) => ({ incident, ms: Math.max(0, ms) }))
    .toSorted((one, other) => one.ms - other.ms);
  const median = medianOf(values.map(({ ms }) => ms));
  const p90 = values[Math.ceil(values.length * 0.9) - 1]?.ms;
  return median === undefined || p90 === undefined ? { values } : { values, median, p90 };
}

/** Of sorted values; between the two in the middle where there is an even number. */
export function medianOf(sorted: readonly number[]): number | undefined {
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle];
  const [low, high] = sorted.slice(middle - 1);
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
