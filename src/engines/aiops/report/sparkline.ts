const BARS = '▁▂▃▄▅▆▇█';
const WIDTH = 60;

/** A row of bars: the highest value of each stretch, and a blank where there is none. */
export function sparkline(values: readonly number[]): string {
  const size = Math.max(1, values.length / WIDTH);
  const columns = Array.from({ length: Math.min(WIDTH, values.length) }, (_, index) => {
    const stretch = values.slice(
      Math.floor(index * size),
      Math.max(Math.floor(index * size) + 1, Math.floor((index + 1) * size)),
    );
    return stretch
      .filter((value) => Number.isFinite(value))
      .reduce((one, other) => Math.max(one, other), -Infinity);
  });
  const known = columns.filter((value) => Number.isFinite(value));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return columns
    .map((value) => {
      if (!Number.isFinite(value)) return ' ';
      return BARS[high > low ? Math.round(((value - low) / (high - low)) * (BARS.length - 1)) : 0];
    })
    .join('');
}
