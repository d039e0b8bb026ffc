/** Climbs a smooth function of a few numbers by its slopes (Adam), each slope by a small step. The same every time. */
export function climb(
  height: (values: readonly number[]) => number,
  start: readonly number[],
  steps: number,
): number[] {
  const values = [...start];
  const [speed, roughness] = [values.map(() => 0), values.map(() => 0)];
  for (let step = 1; step <= steps; step++) {
    const here = height(values);
    const slopes = values.map((value, at) => {
      values[at] = value + STEP;
      const there = height(values);
      values[at] = value;
      return (there - here) / STEP;
    });
    const pace = PACE * (1 - (step - 1) / steps);
    for (const [at, slope] of slopes.entries()) {
      speed[at] = 0.9 * (speed[at] as number) + 0.1 * slope;
      roughness[at] = 0.99 * (roughness[at] as number) + 0.01 * slope * slope;
      const [mean, square] = [speed[at] / (1 - 0.9 ** step), roughness[at] / (1 - 0.99 ** step)];
      values[at] = (values[at] as number) + (pace * mean) / (Math.sqrt(square) + 1e-8);
    }
  }
  return values;
}

const STEP = 1e-4;
const PACE = 0.1;
