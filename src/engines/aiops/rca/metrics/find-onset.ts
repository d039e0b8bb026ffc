import { robustSpread } from '../stats.ts';
import { within, type Windows } from '../windows.ts';
import type { NamedSeries } from './service-impact.ts';

/** Out of range, in robust standard deviations: wide, since many samples are asked. */
const OUT = 4;
const LEAST_RELATIVE_SPREAD = 0.05;
const LEAST_OF_PEAK = 0.02;
const FEWEST = 4;
/** What is usual is learned from the first part of the baseline: a slow climb may have begun in its later part. */
const LEARNED_SHARE = 0.35;

/**
 * Since when a series has been out of its first range without coming back, walked backwards from the end of the
 * incident's worst part. Undefined where it is not out of range in the incident. A single sample inside does not end it.
 */
export function findOnset({ series, meaning }: NamedSeries, windows: Windows): number | undefined {
  const { times, values } = series;
  const first = times.findIndex((time) => time >= windows.baseline[0]);
  const early = values.filter((_, index) => within(times[index] as number, windows.baseline));
  const learned = early.slice(0, Math.max(FEWEST, Math.ceil(early.length * LEARNED_SHARE)));
  if (first < 0 || learned.length < FEWEST) return undefined;
  const { centre, spread } = robustSpread(learned);
  const peak = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = Math.max(
    spread,
    LEAST_RELATIVE_SPREAD * Math.abs(centre),
    LEAST_OF_PEAK * peak,
    Number.MIN_VALUE,
  );
  const out = (index: number): boolean => {
    const away = ((values[index] ?? centre) - centre) / scale;
    if (meaning.bad === 'both') return Math.abs(away) > OUT;
    return meaning.bad === 'up' ? away > OUT : away < -OUT;
  };
  let last = -1;
  for (let index = first; index < times.length; index++) {
    if (within(times[index] as number, windows.incident) && out(index) && (out(index - 1) || out(index + 1)))
      last = index;
  }
  if (last < 0) return undefined;
  let onset = last;
  for (let index = last; index >= first; index--) {
    if (out(index)) onset = index;
    else if (!out(index - 1)) break;
  }
  return times[onset];
}
