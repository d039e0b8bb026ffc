import type { Random } from '../random.ts';
import type { Form } from './form.ts';

/** A value for every instant, before gaps and rounding. */
export interface Sampled {
  readonly at: (tick: number) => number;
  /** A counter that only grows. */
  readonly adds?: boolean;
  /** Whether there was nothing to measure. */
  readonly isIdle?: (tick: number) => boolean;
}

/** Significant digits that a series keeps: what monitoring systems keep, and the same bytes on every machine. */
const KEPT = 1e6;
/** A stretch of samples that is missing as a whole. */
const STRETCH = 6;

export function openSeries(
  times: readonly number[],
  { gaps, idle }: Form,
): (sampled: Sampled, random: Random) => { times: number[]; values: number[] } {
  return ({ at, adds = false, isIdle }, random) => {
    const kept: number[] = [];
    const values: number[] = [];
    let sum = adds ? random.int(0, 100_000) : 0;
    let largest = 0;
    let missing = 0;
    for (const [tick, time] of times.entries()) {
      const value = at(tick);
      sum += value;
      if (missing > 0) missing--;
      else if (gaps > 0 && random.chance(gaps / STRETCH)) missing = random.int(1, 2 * STRETCH - 1);
      if (missing > 0) continue;
      const isEmpty = isIdle?.(tick) ?? false;
      if (isEmpty && idle === 'missing') continue;
      const shown = isEmpty ? 0 : adds ? sum : value;
      kept.push(time);
      values.push(shown);
      largest = Math.max(largest, Math.abs(shown));
    }
    const grid = largest > 0 ? 10 ** Math.ceil(Math.log10(KEPT / largest)) : 1;
    return { times: kept, values: values.map((value) => Math.round(value * grid) / grid) };
  };
}
