import type { MetricSeries } from '#spec/data';
import type { Windows } from '../windows.ts';
import type { Shift } from './scan-shift.ts';

/** When a series left its range, as far as its samples tell. */
export interface OnsetChance {
  /** How likely it began at this time, in unix seconds, or later. */
  since(time: number): number;
  /** The middle of the distribution. */
  readonly middle: number;
}

/**
 * Where one level ends and the other begins, by how well each place explains the samples on both sides of it. Samples
 * that remember each other count as fewer: the spread is that of the usual part around its own neighbours.
 */
export function onsetChance({ times, values }: MetricSeries, shift: Shift, windows: Windows): OnsetChance {
  // The first half of the baseline is what is usual.
  const first = lowest(times, (windows.baseline[0] + windows.baseline[1]) / 2);
  const start = lowest(times, windows.incident[0]);
  const end = Math.min(times.length, start + shift.to);
  const { before, during } = shift;
  let squares = 0;
  for (let at = 0; at < start; at++) squares += ((values[at] as number) - before) ** 2;
  const variance = Math.max(squares / Math.max(1, start), ((during - before) / 10) ** 2, Number.MIN_VALUE);
  // Read backwards: the gain of an onset at a place is that of all samples from there to the end of the stretch.
  const gains: number[] = [];
  let gain = 0;
  for (let at = end - 1; at >= first; at--) {
    const value = values[at] as number;
    gain += ((value - before) ** 2 - (value - during) ** 2) / (2 * variance);
    gains[at - first] = gain;
  }
  const most = gains.reduce((best, one) => Math.max(best, one), Number.NEGATIVE_INFINITY);
  const weights = gains.map((one) => Math.exp(one - most));
  const total = weights.reduce((sum, one) => sum + one, 0);
  const edges = (at: number): [number, number] => [
    at > 0 ? (times[at - 1] as number) : (times[at] as number),
    times[at] as number,
  ];
  const since = (time: number): number => {
    let chance = 0;
    for (const [offset, weight] of weights.entries()) {
      const [from, to] = edges(first + offset);
      chance += weight * (time <= from ? 1 : time >= to ? 0 : (to - time) / (to - from));
    }
    return total > 0 ? chance / total : 0.5;
  };
  let below = 0;
  let middle = times[Math.max(0, end - 1)] ?? windows.alert;
  for (const [offset, weight] of weights.entries()) {
    below += weight;
    if (below >= total / 2) {
      middle = times[first + offset] as number;
      break;
    }
  }
  return { since, middle };
}

const lowest = (times: readonly number[], least: number): number => {
  const at = times.findIndex((time) => time >= least);
  return at < 0 ? times.length : at;
};
