/** A number as a person reads it: three digits that matter, and all of those before the point. */
export const showNumber = (value: number): string =>
  String(Number(Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(3)));

export const thousandths = (value: number): number => Number(value.toFixed(3));
