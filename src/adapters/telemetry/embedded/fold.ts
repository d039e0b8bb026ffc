import { type Grid, timeAt } from './grid.ts';
import type { SeriesOnGrid } from './read-series.ts';

/** Values by step. NaN: nothing to say. */
export type Steps = Float64Array;

const filled = (grid: Grid, at: (step: number) => number): Steps =>
  Float64Array.from({ length: grid.count }, (_, step) => at(step));

/** Steps in which something is known of a service. A counter that says nothing in one of them has not moved. */
export function knownSteps(grid: Grid, series: readonly SeriesOnGrid[]): Uint8Array {
  const known = new Uint8Array(grid.count);
  for (const { covered } of series) covered.forEach((ms, step) => ms > 0 && (known[step] = 1));
  const end = commonEnd(grid, series);
  for (let step = 0; step < grid.count; step++) {
    if (grid.startMs + step * grid.stepMs >= end) known[step] = 0;
  }
  return known;
}

/** Series are sent at different instants: after the earliest last reading of those that live, sums would be too low. */
function commonEnd({ stepMs }: Grid, series: readonly SeriesOnGrid[]): number {
  const newest = Math.max(...series.map(({ lastMs }) => lastMs));
  const living = series.filter(({ lastMs }) => lastMs > newest - Math.max(15_000, 3 * stepMs));
  return Math.min(...living.map(({ lastMs }) => lastMs));
}

/** How much was added a second, all together. */
export function rateOf(grid: Grid, known: Uint8Array, series: readonly SeriesOnGrid[]): Steps {
  return filled(grid, (step) => {
    if (!known[step]) return Number.NaN;
    let rate = 0;
    for (const { amount, covered } of series) {
      const ms = covered[step] ?? 0;
      if (ms > 0) rate += ((amount[step] ?? 0) * 1_000) / ms;
    }
    return rate;
  });
}

export const ratio = (grid: Grid, part: Steps, whole: Steps): Steps =>
  filled(grid, (step) => {
    const all = whole[step] ?? Number.NaN;
    return all > 0 ? (part[step] ?? 0) / all : Number.NaN;
  });

export const meanOf = (grid: Grid, series: readonly SeriesOnGrid[], scale: number): Steps =>
  filled(grid, (step) => {
    let [sum, count] = [0, 0];
    for (const one of series) {
      sum += one.sum[step] ?? 0;
      count += one.amount[step] ?? 0;
    }
    return count > 0 ? (sum / count) * scale : Number.NaN;
  });

/** The quantile, linear within its bucket; of histograms with different bounds, those that most are of count. */
export function quantileOf(grid: Grid, series: readonly SeriesOnGrid[], share: number, scale: number): Steps {
  const alike = sameBounds(series);
  const bounds = alike[0]?.bounds ?? [];
  const width = bounds.length + 1;
  const counts = new Float64Array(width);
  return filled(grid, (step) => {
    if (!bounds.length) return Number.NaN;
    counts.fill(0);
    for (const { buckets } of alike)
      for (let at = 0; at < width; at++) counts[at] = (counts[at] ?? 0) + (buckets[step * width + at] ?? 0);
    const value = quantile(counts, bounds, share);
    return value * scale;
  });
}

function quantile(counts: Float64Array, bounds: readonly number[], share: number): number {
  const total = counts.reduce((sum, one) => sum + Math.max(0, one), 0);
  // Less than a hundredth of a request in a step is a rest of spreading over time.
  if (total < 0.01) return Number.NaN;
  let left = total * share;
  for (const [at, count] of counts.entries()) {
    if (count > 0 && left <= count) {
      const upper = bounds[at];
      const lower = at === 0 ? Math.min(0, bounds[0] ?? 0) : (bounds[at - 1] ?? 0);
      return upper === undefined ? lower : lower + ((upper - lower) * left) / count;
    }
    left -= Math.max(0, count);
  }
  return bounds.at(-1) ?? Number.NaN;
}

function sameBounds(series: readonly SeriesOnGrid[]): readonly SeriesOnGrid[] {
  const groups = Map.groupBy(series, ({ bounds }) => bounds.join(' '));
  return [...groups.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
}

/** Levels of several series as one: their sum, or their mean. */
export function levelOf(grid: Grid, series: readonly SeriesOnGrid[], how: 'sum' | 'mean'): Steps {
  return filled(grid, (step) => {
    let [sum, count] = [0, 0];
    for (const { amount, covered } of series) {
      if (!covered[step]) continue;
      sum += amount[step] ?? 0;
      count += 1;
    }
    return count ? (how === 'sum' ? sum : sum / count) : Number.NaN;
  });
}

/** The samples as they are given out. */
export function samples(grid: Grid, values: Steps): { times: number[]; values: number[] } {
  const out = { times: [] as number[], values: [] as number[] };
  values.forEach((value, step) => {
    if (!Number.isFinite(value)) return;
    out.times.push(timeAt(grid, step));
    out.values.push(round(value));
  });
  return out;
}

const round = (value: number): number => Number(value.toPrecision(8));
