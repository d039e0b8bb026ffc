/** How far what was said lies from what came true, over ten bins of as many cases (expected calibration error). */
export function calibrationError(told: readonly { said: number; right: boolean }[]): number {
  if (!told.length) return Number.NaN;
  const sorted = told.toSorted((one, other) => one.said - other.said);
  const size = Math.max(1, Math.ceil(sorted.length / BINS));
  let error = 0;
  for (let from = 0; from < sorted.length; from += size) {
    const bin = sorted.slice(from, from + size);
    const said = bin.reduce((sum, one) => sum + one.said, 0);
    const right = bin.filter((one) => one.right).length;
    error += Math.abs(said - right);
  }
  return Math.round((error / sorted.length) * 1000) / 1000;
}

const BINS = 10;
