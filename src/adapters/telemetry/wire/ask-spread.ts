import type { TimeWindow } from '#spec/data';
import { inParallel } from './in-parallel.ts';
import { slices } from './time-window.ts';

const SLICES = 4;

/**
 * Backends give the newest when there is more than the limit. What is wanted then is some of every part of the window,
 * so that the time before an incident is not lost: it is asked once more, slice by slice.
 */
export async function askSpread<T>(
  window: TimeWindow,
  limit: number,
  ask: (window: TimeWindow, limit: number) => Promise<readonly T[]>,
): Promise<{ items: readonly T[]; cut: boolean }> {
  const whole = await ask(window, limit + 1);
  if (whole.length <= limit) return { items: whole, cut: false };
  const share = Math.ceil(limit / SLICES);
  const parts = await inParallel(
    SLICES,
    slices(window, SLICES).map((slice) => () => ask(slice, share)),
  );
  return { items: thinned(parts.flat(), limit), cut: true };
}

/** Evenly over what there is, so that nothing at one end is left out. */
export const thinned = <T>(items: readonly T[], limit: number): readonly T[] =>
  items.length <= limit
    ? items
    : Array.from({ length: limit }, (_, at) => items[Math.floor((at * items.length) / limit)] as T);
