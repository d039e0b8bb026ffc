/** So far into a list that is already in rising order; NaN for an empty one. */
export function sortedQuantile(sorted: ArrayLike<number>, share: number): number {
  if (!sorted.length) return Number.NaN;
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}

const middleOf = (sorted: Float64Array): number => sortedQuantile(sorted, 0.5);
export const rising = (values: ArrayLike<number>): Float64Array => Float64Array.from(values).sort();

export function median(values: ArrayLike<number>): number {
  // Most lists are short stretches of a series: sorting them would take most of the time of a diagnosis.
  if (values.length <= 3) return shortMedian(values);
  return middleOf(rising(values));
}

function shortMedian({ length, 0: a = Number.NaN, 1: b = a, 2: c = b }: ArrayLike<number>): number {
  if (length <= 1) return a;
  return length === 2 ? (a + b) / 2 : Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

export function mean(values: readonly number[]): number {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : Number.NaN;
}

/** Makes the quartile range comparable with a standard deviation. */
const IQR_TO_SIGMA = 1 / 1.349;

/** How far values usually lie from their median, as a standard deviation would say it, without being moved by outliers. */
export function robustSpread(values: ArrayLike<number>): { centre: number; spread: number } {
  return sortedSpread(rising(values));
}

/** The same of a list that is already in rising order. */
export function sortedSpread(sorted: Float64Array): { centre: number; spread: number } {
  const range = sortedQuantile(sorted, 0.75) - sortedQuantile(sorted, 0.25);
  return { centre: middleOf(sorted), spread: range * IQR_TO_SIGMA };
}

export const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));
