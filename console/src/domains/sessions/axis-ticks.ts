const STEPS = [1, 2, 5];

/** Round numbers from zero on that divide a span into at most so many parts. The last may lie beyond its end. */
export function axisTicks(span: number, most: number): readonly number[] {
  if (!(span > 0)) return [0];
  const rough = span / most;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * size >= rough) ?? 10) * size;
  const count = Math.ceil(span / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
