import type { ChartSeries } from './line-chart.ts';

type Point = readonly [number, number];

/** Longer than this many usual steps without a sample is a gap. */
const GAP_STEPS = 2.5;
/** More samples than this are drawn as the lowest and the highest of each stretch: spikes stay, the file stays small. */
const MOST_POINTS = 1_500;

/** The way of a pen through samples, lifted at gaps; and samples that stand alone, which no pen would show. */
export function linePath(
  { times, values }: ChartSeries,
  x: (time: number) => number,
  y: (value: number) => number,
): { readonly path: string; readonly points: readonly Point[] } {
  const runs = runsOf(times, values);
  const total = runs.reduce((sum, run) => sum + run.length, 0);
  const size = Math.ceil(total / (MOST_POINTS / 2));
  const drawn = runs.map((run) => (total > MOST_POINTS ? extremes(run, size) : run));
  const place = ([time, value]: Point): Point => [x(time), y(value)];
  const round = (value: number): number => Math.round(value * 10) / 10;
  const path = drawn
    .filter((run) => run.length > 1)
    .map(
      (run) =>
        `M${run
          .map(place)
          .map(([px, py]) => `${round(px)} ${round(py)}`)
          .join('L')}`,
    )
    .join('');
  return {
    path,
    points: drawn
      .filter((run) => run.length === 1)
      .flat()
      .map(place),
  };
}

function runsOf(times: readonly number[], values: readonly number[]): Point[][] {
  const step = usualStep(times);
  const runs: Point[][] = [];
  let last = -Infinity;
  for (const [index, time] of times.entries()) {
    const value = values[index] ?? Number.NaN;
    const run = runs.at(-1);
    if (!Number.isFinite(value) || !Number.isFinite(time)) {
      // The next sample begins a new run.
      last = -Infinity;
      continue;
    }
    if (run && time - last <= step * GAP_STEPS) run.push([time, value]);
    else runs.push([[time, value]]);
    last = time;
  }
  return runs;
}

function usualStep(times: readonly number[]): number {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const sorted = steps.filter((step) => step > 0).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Infinity;
}

function extremes(run: readonly Point[], size: number): Point[] {
  const kept: Point[] = [];
  for (let from = 0; from < run.length; from += size) {
    const stretch = run.slice(from, from + size);
    let [low, high] = [0, 0];
    for (const [index, point] of stretch.entries()) {
      if (point[1] < (stretch[low]?.[1] ?? 0)) low = index;
      if (point[1] > (stretch[high]?.[1] ?? 0)) high = index;
    }
    for (const index of new Set([low, high].toSorted((one, other) => one - other))) {
      const point = stretch[index];
      if (point) kept.push(point);
    }
  }
  return kept;
}
