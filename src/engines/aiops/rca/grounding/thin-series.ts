import type { MetricSeries } from '#spec/data';
import { rising } from '../stats.ts';

/**
 * At most `most` samples that show the same: of each stretch of time the sample in the middle by value, and the highest
 * and lowest of all. Medians stay where they are and the range is kept.
 */
export function thinSeries(series: MetricSeries, most: number): MetricSeries {
  const { times, values } = series;
  if (times.length <= most) return series;
  const kept = new Set<number>();
  const room = Math.max(0, most - 2);
  if (most >= 2) for (const index of extremes(values)) kept.add(index);
  for (let bucket = 0; bucket < room; bucket++) {
    const from = Math.floor((bucket * times.length) / room);
    const to = Math.floor(((bucket + 1) * times.length) / room);
    kept.add(middle(values, from, to));
  }
  const indices = [...kept].sort((one, other) => one - other);
  return {
    ...series,
    times: indices.map((index) => times[index] as number),
    values: indices.map((index) => values[index] as number),
  };
}

function extremes(values: readonly number[]): readonly number[] {
  let [low, high] = [0, 0];
  for (let index = 0; index < values.length; index++) {
    if ((values[index] as number) < (values[low] as number)) low = index;
    if ((values[index] as number) > (values[high] as number)) high = index;
  }
  return [low, high];
}

function middle(values: readonly number[], from: number, to: number): number {
  const part = values.slice(from, to);
  const centre = rising(part)[Math.floor((part.length - 1) / 2)];
  return from + Math.max(0, centre === undefined ? 0 : part.indexOf(centre));
}
