/** The rising steps that fit best what came true (pool adjacent violators), a few of them, as pairs to draw lines between. */
export function isotonic(told: readonly { said: number; right: boolean }[]): [number, number][] {
  interface Step {
    said: number;
    right: number;
    count: number;
  }
  const steps: Step[] = [];
  for (const { said, right } of told.toSorted((one, other) => one.said - other.said)) {
    steps.push({ said, right: right ? 1 : 0, count: 1 });
    for (;;) {
      const [last, before] = [steps.at(-1), steps.at(-2)];
      if (!last || !before) break;
      if (before.right / before.count < last.right / last.count && before.count >= FEWEST) break;
      steps.splice(-2, 2, {
        said: (before.said * before.count + last.said * last.count) / (before.count + last.count),
        right: before.right + last.right,
        count: before.count + last.count,
      });
    }
  }
  // Nobody was right or wrong so often that it is sure: one of each kind is added (Laplace).
  const pairs = steps.map(({ said, right, count }): [number, number] => [
    round(said),
    round((right + 1) / (count + 2)),
  ]);
  return [
    [0, 0],
    ...pairs,
    ...((pairs.at(-1)?.[0] ?? 0) < 1 ? [[1, pairs.at(-1)?.[1] ?? 1] as [number, number]] : []),
  ];
}

/** Steps of fewer cases say nothing. */
const FEWEST = 25;
const round = (value: number): number => Math.round(value * 1000) / 1000;
