import { rising, robustSpread, sortedQuantile } from '../stats.ts';
import { LEAST_RELATIVE_SPREAD, SWING_SHARE } from './measure-change.ts';
import type { Windows } from '../windows.ts';
import type { ServiceImpact } from './service-impact.ts';

/** The harm of one service in one stretch of time. */
export interface WeighedImpact {
  /** Milliseconds that all requests together waited longer, or requests that failed beyond the usual. */
  readonly harm: number;
  readonly sigmas: number;
  readonly novelty: number;
  readonly before: number;
  readonly during: number;
  readonly requests: number;
}

/** Half of the window: long enough to be no blip, short enough for a fault that ended. */
const stretchLength = (samples: number): number => Math.max(1, Math.ceil(samples / 2));

/** The stretch of the incident in which the harm was largest, as first and last time. */
export function worstStretch(impact: ServiceImpact, windows: Windows): readonly [number, number] | undefined {
  const [from, to] = span(impact, windows.incident);
  const length = stretchLength(to - from);
  const harms = runningHarm(impact);
  let worst: readonly [number, number] | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (let start = from; start + length <= to; start++) {
    const harm = harmOf(harms, start, start + length);
    if (harm > most) {
      most = harm;
      worst = [impact.times[start] as number, impact.times[start + length - 1] as number];
    }
  }
  return worst;
}

/** The harm within a stretch against stretches of as many samples in the baseline. */
export function weighImpact(
  impact: ServiceImpact,
  stretch: readonly [number, number],
  windows: Windows,
): WeighedImpact | undefined {
  const [from, to] = span(impact, stretch);
  const [start, end] = span(impact, windows.baseline);
  const length = to - from;
  if (length <= 0 || end - start < length * 2) return undefined;
  const harms = runningHarm(impact);
  const harm = harmOf(harms, from, to);
  const usual: number[] = [];
  for (let at = start; at + length <= end; at++) usual.push(harmOf(harms, at, at + length));
  const { centre, spread } = robustSpread(usual);
  const requests = sum(impact.weight.slice(from, to));
  const scale = Math.max(spread, leastScale(impact, from, to), Number.MIN_VALUE);
  const swing = sortedQuantile(rising(usual), SWING_SHARE) - centre;
  const delta = harm - centre;
  return {
    harm,
    sigmas: delta / scale,
    novelty: delta / Math.max(swing, scale),
    before: impact.usual,
    during: requests > 0 ? impact.usual + harm / requests : impact.usual,
    requests,
  };
}

/**
 * For failures the scatter of counting: one request more or less that fails is no change. What one request is in the unit
 * of the series tells the series itself, whether it counts them or gives their rate.
 */
function leastScale(impact: ServiceImpact, from: number, to: number): number {
  const { kind, usual, spread, weight } = impact;
  const weights = weight.slice(from, to);
  // Samples scatter by themselves, each with the weight of its requests.
  const scatter = Math.sqrt(sum(weights.map((one) => one ** 2)));
  if (kind === 'latency') return Math.max(spread, LEAST_RELATIVE_SPREAD * Math.abs(usual)) * scatter;
  const one = unitOf(impact);
  return Math.max(one, spread * scatter, Math.sqrt(one * Math.max(usual, 0) * sum(weights)));
}

/** Apart by less than this share of the largest, two amounts are the same: they were divided before they were multiplied. */
const SAME = 1e-6;

/** The smallest step between amounts of failures that were seen: one request, where they were counted. */
function unitOf({ level, weight }: ServiceImpact): number {
  const amounts = rising(level.map((share, at) => Math.max(0, share) * (weight[at] ?? 0)));
  const least = SAME * (amounts.at(-1) ?? 0);
  let one = Number.POSITIVE_INFINITY;
  for (let at = 1; at < amounts.length; at++) {
    const step = (amounts[at] as number) - (amounts[at - 1] as number);
    if (step > least && step < one) one = step;
  }
  return Number.isFinite(one) ? one : Math.max(Number.MIN_VALUE, amounts.at(-1) ?? 0);
}

/** The harm up to each sample, so that the harm of a stretch is a difference: baselines may have a day of seconds. */
function runningHarm({ level, weight, usual }: ServiceImpact): Float64Array {
  const running = new Float64Array(level.length + 1);
  for (let at = 0; at < level.length; at++) {
    running[at + 1] = (running[at] ?? 0) + ((level[at] ?? usual) - usual) * (weight[at] ?? 0);
  }
  return running;
}

const harmOf = (running: Float64Array, from: number, to: number): number =>
  (running[to] ?? 0) - (running[from] ?? 0);

function span({ times }: ServiceImpact, [start, end]: readonly [number, number]): [number, number] {
  let from = 0;
  while (from < times.length && (times[from] as number) < start) from++;
  let to = from;
  while (to < times.length && (times[to] as number) <= end) to++;
  return [from, to];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
