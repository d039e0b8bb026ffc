const SECOND = 1_000;
const LEAST = SECOND;
const MOST = 24 * 3_600 * SECOND;
const BINS = 30;

/** Where a duration stands between a second and a day, from 0 to 1. Each step is as much longer as the one before. */
export const placeOf = (ms: number): number =>
  Math.log(Math.min(MOST, Math.max(LEAST, ms)) / LEAST) / Math.log(MOST / LEAST);

export const TICKS: readonly number[] = [SECOND, 60 * SECOND, 3_600 * SECOND, MOST];

/** How many durations fall into each part of that way. */
export function histogram(durations: readonly number[]): readonly number[] {
  const bins = Array.from({ length: BINS }, () => 0);
  for (const ms of durations) {
    const at = Math.min(BINS - 1, Math.floor(placeOf(ms) * BINS));
    bins[at] = (bins[at] ?? 0) + 1;
  }
  return bins;
}
