import { median, rising, robustSpread, sortedQuantile, sortedSpread } from '../stats.ts';

/** One series compared between two windows. */
export interface MeasuredChange {
  readonly before: number;
  readonly during: number;
  readonly delta: number;
  /** `delta` in robust standard deviations of the baseline, with its sign. */
  readonly sigmas: number;
  /** What counts as one robust standard deviation. */
  readonly scale: number;
  /**
   * `delta` against the largest swing of an equally long stretch of the baseline, without sign. Above 1 the baseline
   * practically never did this; it is the test that survives heavy tails and daily rhythm.
   */
  readonly novelty: number;
  readonly samplesBefore: number;
  readonly samplesDuring: number;
}

/** Three robust standard deviations are more than chance mostly makes. */
export const LEAST_SIGMAS = 3;
/** Fewer samples say nothing about what is usual. */
export const FEWEST = 4;
/** A spread below this share of the largest level is noise of the instrument: dividing by it would make idle series loud. */
export const LEAST_RELATIVE_SPREAD = 0.05;
/** The rarest swings of the baseline are left out: an incident inside it must not hide another. */
export const SWING_SHARE = 0.99;

/**
 * The incident is read as its worst stretch of half its length: a fault may begin late in the window or end before it
 * does. What came after the alert, if it is less than that, is a stretch too: by then the fault was there. The baseline
 * is read in the same way, stretch by stretch.
 */
export function measureChange(
  before: readonly number[],
  during: readonly number[],
  bad: 'up' | 'down' | 'both' = 'both',
  sinceAlert: readonly number[] = [],
): MeasuredChange | undefined {
  if (before.length < FEWEST || !during.length) return undefined;
  const sorted = rising(before);
  const { centre, spread } = sortedSpread(sorted);
  const half = Math.max(1, Math.ceil(during.length / 2));
  const short = sinceAlert.length >= FEWEST && sinceAlert.length < half;
  const candidates = stretches(during, half);
  const worst = pick(short ? [...candidates, median(sinceAlert)] : candidates, centre, bad);
  const length = short && !candidates.includes(worst) ? sinceAlert.length : half;
  const delta = worst - centre;
  const usual = stretches(before, Math.min(length, before.length)).map((value) => value - centre);
  const swing = sortedQuantile(rising(usual.map(Math.abs)), SWING_SHARE);
  const peak = Math.max(
    Math.abs(sortedQuantile(sorted, SWING_SHARE)),
    Math.abs(sortedQuantile(sorted, 1 - SWING_SHARE)),
    Math.abs(worst),
  );
  const scale = Math.max(spread, robustSpread(usual).spread, LEAST_RELATIVE_SPREAD * peak, Number.MIN_VALUE);
  return {
    before: centre,
    during: worst,
    delta,
    sigmas: delta / scale,
    scale,
    novelty: Math.abs(delta) / Math.max(swing, scale),
    samplesBefore: before.length,
    samplesDuring: during.length,
  };
}

/** Medians of stretches that overlap by half. */
function stretches(values: readonly number[], length: number): number[] {
  const step = Math.max(1, Math.floor(length / 2));
  const found: number[] = [];
  for (let from = 0; from + length <= values.length; from += step) {
    found.push(length === 1 ? (values[from] as number) : median(values.slice(from, from + length)));
  }
  if (found.length === 0 || (values.length - length) % step) {
    found.push(median(values.slice(Math.max(0, values.length - length))));
  }
  return found;
}

function pick(values: readonly number[], centre: number, bad: 'up' | 'down' | 'both'): number {
  const badness = (value: number): number => {
    if (bad === 'up') return value - centre;
    return bad === 'down' ? centre - value : Math.abs(value - centre);
  };
  return values.reduce((worst, value) => (badness(value) > badness(worst) ? value : worst));
}
