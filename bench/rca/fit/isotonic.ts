import { lowerBound } from './lower-bound.ts';

interface Step {
  said: number;
  right: number;
  count: number;
}

/**
 * The rising steps that fit best what came true (pool adjacent violators), as pairs to draw lines between: as few as tell the
 * same, as far as so many cases can tell.
 */
export function isotonic(told: readonly { said: number; right: boolean }[]): [number, number][] {
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
  return bends(steps).map(([said, right]) => [round(said), round(right)]);
}

type Pair = readonly [said: number, right: number];

/** Nobody was right or wrong so often that it is sure: one of each kind is added (Laplace). */
const share = ({ right, count }: Step): number => (right + 1) / (count + 2);

/** Both ends and the steps between them where the line must bend: those left out may lie on it. */
function bends(steps: readonly Step[]): Pair[] {
  const pairs = steps.map((step): Pair => [step.said, share(step)]);
  const [last, right] = pairs.at(-1) ?? [0, 1];
  const all: Pair[] = [[0, 0], ...pairs, ...(last < 1 ? [[1, right] as const] : [])];
  const canTell = boundsOf(steps);
  const kept = all.slice(0, 1);
  for (let from = 0; from < all.length - 1; ) {
    const left = all[from] as Pair;
    let to = all.length - 1;
    while (to > from + 1 && !isLine(left, all[to] as Pair, steps.slice(from, to - 1), from, canTell)) to--;
    kept.push(all[to] as Pair);
    from = to;
  }
  return kept;
}

/** Between which shares lies what came true of a run of steps, but for one in twenty each way. */
type Bounds = (from: number, to: number) => readonly [least: number, most: number];

function boundsOf(steps: readonly Step[]): Bounds {
  const known = new Map<string, readonly [number, number]>();
  return (from, to) => {
    const key = `${from} ${to}`;
    const run = steps.slice(from, to);
    const [right, count] = [sum(run.map((step) => step.right)), sum(run.map((step) => step.count))];
    const bounds = known.get(key) ?? [lowerBound(right, count), 1 - lowerBound(count - right, count)];
    known.set(key, bounds);
    return bounds;
  };
}

/** Whether no run of the steps between two pairs lies off the line by more than chance. The first of them has this number. */
function isLine(
  [left, low]: Pair,
  [right, high]: Pair,
  steps: readonly Step[],
  first: number,
  canTell: Bounds,
): boolean {
  const drawn = steps.map(
    ({ said, count }) =>
      count * (right > left ? low + ((high - low) * (said - left)) / (right - left) : high),
  );
  return steps.every((_, from) =>
    steps.slice(from).every((__, length) => {
      const to = from + length + 1;
      const line = sum(drawn.slice(from, to)) / sum(steps.slice(from, to).map(({ count }) => count));
      const [least, most] = canTell(first + from, first + to);
      return line >= least && line <= most;
    }),
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Steps of fewer cases say nothing. */
const FEWEST = 25;
const round = (value: number): number => Math.round(value * 1000) / 1000;
