import type { NamedSeries } from '../metrics/service-impact.ts';
import { valuesWithin, type Windows } from '../windows.ts';
import { type OnsetChance, onsetChance } from './onset-chance.ts';
import { scanShift, type Shift } from './scan-shift.ts';

/** One series, how it left its range, and how sure that is among all that were looked at. */
export interface ReadShift {
  readonly named: NamedSeries;
  readonly shift: Shift;
  /** The share of chance among all series that stand out as much as this one (Benjamini and Hochberg). */
  readonly q: number;
  readonly onset: OnsetChance;
}

/** Every series of an incident, tested in the same way; the tests know of each other. */
export function readShifts(metrics: readonly NamedSeries[], windows: Windows): ReadShift[] {
  const tested = metrics.flatMap((named) => {
    const { series, meaning } = named;
    if (meaning.signal === 'setting') return [];
    const step = stepOf(series.times);
    const gap = Math.max(0, windows.incident[0] - windows.baseline[1]) / step;
    const before = valuesWithin(series, windows.baseline);
    const shift = scanShift(before, valuesWithin(series, windows.incident), meaning.bad, gap);
    return shift ? [{ named, shift }] : [];
  });
  const rates = discoveryRates(tested.map(({ shift }) => shift.p));
  return tested.map((one, at) => ({
    ...one,
    q: rates[at] as number,
    onset: onsetChance(one.named.series, one.shift, windows),
  }));
}

const stepOf = (times: readonly number[]): number =>
  times.length > 1 ? Math.max(1, ((times.at(-1) as number) - (times[0] as number)) / (times.length - 1)) : 1;

function discoveryRates(chances: readonly number[]): number[] {
  const order = chances
    .map((_, at) => at)
    .sort((one, other) => (chances[other] as number) - (chances[one] as number));
  const rates = chances.map(() => 1);
  let least = 1;
  for (const [rank, at] of order.entries()) {
    least = Math.min(least, ((chances[at] as number) * chances.length) / (chances.length - rank));
    rates[at] = least;
  }
  return rates;
}

/** How much evidence a rate is: tens of it, and no more than a baseline can prove. */
export const tensOf = (rate: number): number =>
  Math.min(MOST_TENS, -Math.log10(Math.max(rate, Number.MIN_VALUE)));
const MOST_TENS = 8;
