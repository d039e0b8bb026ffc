/** A number as a person reads it: three digits that matter, no exponent between a thousandth and a billion. */
export function showNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e9)) return value.toExponential(2);
  return String(Number(size >= 1000 ? value.toFixed(0) : value.toPrecision(3)));
}

export const thousandths = (value: number): number => Number(value.toFixed(3));
