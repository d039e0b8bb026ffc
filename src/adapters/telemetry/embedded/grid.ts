import type { TimeWindow } from '#spec/data';
import { windowMs } from '../wire/time-window.ts';

/** A window cut into equal steps. A sample stands at the beginning of its step. */
export interface Grid {
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
  readonly count: number;
}

const MOST_POINTS = 240;

export function gridOf(window: TimeWindow): Grid {
  const { from: startMs, to: endMs } = windowMs(window);
  const stepMs = 1_000 * Math.max(1, Math.ceil((endMs - startMs) / 1_000 / (MOST_POINTS - 1)));
  return { startMs, endMs, stepMs, count: Math.floor((endMs - startMs) / stepMs) + 1 };
}

export const timeAt = (grid: Grid, step: number): number => (grid.startMs + step * grid.stepMs) / 1_000;

/** Calls back for each step that `from`–`to` lies in, with the milliseconds of it that lie there. */
export function eachStep(
  grid: Grid,
  fromMs: number,
  toMs: number,
  visit: (step: number, ms: number) => void,
): void {
  const { startMs, stepMs, count } = grid;
  const first = Math.max(0, Math.floor((fromMs - startMs) / stepMs));
  // An instant on the edge between two steps ends the earlier one.
  const last = Math.min(count - 1, Math.ceil((toMs - startMs) / stepMs) - 1);
  for (let step = first; step <= last; step++) {
    const begin = startMs + step * stepMs;
    const ms = Math.min(toMs, begin + stepMs) - Math.max(fromMs, begin);
    if (ms > 0) visit(step, ms);
  }
}
