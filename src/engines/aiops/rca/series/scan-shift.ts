import { rising } from '../stats.ts';

/** How a series left its range in a window, against how the baseline leaves its own. */
export interface Shift {
  /** How likely the baseline itself does as much in a window as long and as far away. */
  readonly p: number;
  /** The mean of the baseline, and of the stretch that stands out most. */
  readonly before: number;
  readonly during: number;
  /** The stretch, as places in the window. */
  readonly from: number;
  readonly to: number;
}

export type Way = 'up' | 'down' | 'both';

/** The baseline is read as at least this many windows: fewer tell nothing about what is usual. */
const WINDOWS = 4;
/** The share of them that the tail is learned from. */
const TAIL = 0.3;
/** Means have a variance, however few were seen: their tail falls at least with the square. */
const LEAST_KNOWN = 2;
/** What wanders like a walk moves by the root of the time; nothing is taken to run away faster. */
const STEEPEST = 1;

/**
 * The largest shift of a mean, over stretches of halving lengths, in units of how far such means wander apart in the
 * baseline, carried on to the distance between baseline and window. The same is asked of windows of the baseline, and
 * beyond what they ever did the tail goes on as an exponential whose rate is known from these few windows only: a short
 * baseline never proves much.
 */
export function scanShift(
  before: readonly number[],
  during: readonly number[],
  way: Way,
  /** From the end of the baseline to the window, in samples. */
  gap = 0,
): Shift | undefined {
  const length = Math.min(during.length, Math.floor(before.length / WINDOWS));
  if (length < 1) return undefined;
  const sums = cumulated(before);
  const usual = meanOf(sums, 0, before.length);
  const stretches = halvings(length).map((stretch) => wanderOf(sums, stretch));
  const step = Math.max(1, Math.floor(length / 2));
  const reference: number[] = [];
  for (let from = 0; from + length <= before.length; from += step) {
    const rest =
      (usual * before.length - (sums[from + length] as number) + (sums[from] as number)) /
      (before.length - length);
    const far = Math.abs(from + length / 2 - before.length / 2);
    reference.push(worst(sums, from, from + length, rest, far, stretches, way).value);
  }
  const found = worst(cumulated(during), 0, during.length, usual, gap + before.length / 2, stretches, way);
  const chance = tailProbability(found.value, reference, {
    independent: step / length,
    stretch: found.to - found.from,
  });
  return {
    p: Math.min(1, Math.max(1, during.length / length) * chance),
    before: usual,
    during: found.mean,
    from: found.from,
    to: found.to,
  };
}

/** How far means of stretches of one length lie from each other, by their distance. */
interface Wander {
  readonly stretch: number;
  /** The variance at a distance in samples. */
  at(distance: number): number;
}

function halvings(length: number): number[] {
  const lengths: number[] = [];
  for (let stretch = length; stretch >= 1; stretch = Math.floor(stretch / 2)) lengths.push(stretch);
  return lengths;
}

function wanderOf(sums: Float64Array, stretch: number): Wander {
  const count = Math.floor((sums.length - 1) / stretch);
  const means = Array.from({ length: count }, (_, at) => meanOf(sums, at * stretch, (at + 1) * stretch));
  const apart = (lag: number): number => {
    let squares = 0;
    for (let at = 0; at + lag < count; at++)
      squares += ((means[at + lag] as number) - (means[at] as number)) ** 2;
    return squares / (count - lag) / 2;
  };
  const far = Math.max(1, Math.floor(count / 2));
  const near = Math.max(1, Math.floor(far / WINDOWS));
  const [variance, nearer] = [Math.max(apart(far), apart(near)), apart(near)];
  const steep =
    far > near && nearer > 0
      ? Math.min(STEEPEST, Math.max(0, Math.log(variance / nearer) / Math.log(far / near)))
      : 0;
  const known = far * stretch;
  return {
    stretch,
    at: (distance) => variance * (1 + 1 / count) * Math.max(1, distance / known) ** steep,
  };
}

/** Sums up to each place. */
function cumulated(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let at = 0; at < values.length; at++) sums[at + 1] = (sums[at] as number) + (values[at] as number);
  return sums;
}

const meanOf = (sums: Float64Array, from: number, to: number): number =>
  ((sums[to] as number) - (sums[from] as number)) / (to - from);

function worst(
  sums: Float64Array,
  start: number,
  end: number,
  usual: number,
  distance: number,
  stretches: readonly Wander[],
  way: Way,
): { value: number; mean: number; from: number; to: number } {
  let best = { value: 0, mean: meanOf(sums, start, end), from: 0, to: end - start };
  let gain = 0;
  for (const { stretch, at } of stretches) {
    const step = Math.max(1, Math.floor(stretch / 2));
    for (let from = start; from + stretch <= end; from += step) {
      const mean = meanOf(sums, from, from + stretch);
      const moved = way === 'both' ? Math.abs(mean - usual) : way === 'up' ? mean - usual : usual - mean;
      if (!(moved > 0)) continue;
      const value = moved / Math.sqrt(at(distance + from - start));
      // Where nothing ever moved any move is beyond measure: the largest over its length tells most.
      if (value > best.value || (value === best.value && moved * stretch > gain)) {
        best = { value, mean, from: from - start, to: from - start + stretch };
        gain = moved * stretch;
      }
    }
  }
  return best;
}

function tailProbability(
  value: number,
  reference: readonly number[],
  { independent, stretch }: { independent: number; stretch: number },
): number {
  const sorted = rising(reference);
  const count = sorted.length;
  const kept = Math.min(count - 1, Math.max(2, Math.ceil(count * TAIL)));
  const threshold = sorted[count - 1 - kept] as number;
  if (value <= threshold) return (reference.filter((other) => other >= value).length + 1) / (count + 1);
  let excess = 0;
  for (let at = count - kept; at < count; at++) excess += (sorted[at] as number) - threshold;
  // What never moved at all: the longer it is elsewhere, the less it is chance.
  if (!(excess > 0) || value === Number.POSITIVE_INFINITY)
    return (1 / (1 + count * independent)) ** (1 + Math.log2(stretch));
  const known = Math.max(LEAST_KNOWN, kept * independent);
  return ((kept + 1) / (count + 1)) * (1 + (value - threshold) / ((excess / kept) * known)) ** -known;
}
