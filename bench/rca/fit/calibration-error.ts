import { calibrated } from '#engines/aiops';
import { isotonic } from './isotonic.ts';

export interface Said {
  readonly said: number;
  readonly right: boolean;
}

const BINS = 10;
const round = (value: number): number => Math.round(value * 1000) / 1000;

/** How far what was said lies from what came true, over ten bins of as many cases (expected calibration error). */
export function calibrationError(told: readonly Said[]): number {
  if (!told.length) return Number.NaN;
  const sorted = told.toSorted((one, other) => one.said - other.said);
  const size = Math.max(1, Math.ceil(sorted.length / BINS));
  let error = 0;
  for (let from = 0; from < sorted.length; from += size) {
    const bin = sorted.slice(from, from + size);
    const said = bin.reduce((sum, one) => sum + one.said, 0);
    const right = bin.filter((one) => one.right).length;
    error += Math.abs(said - right);
  }
  return round(error / sorted.length);
}

/** The mean square of what was said against what came true. */
export const brierScore = (told: readonly Said[]): number =>
  round(
    told.reduce((sum, { said, right }) => sum + (said - Number(right)) ** 2, 0) / Math.max(1, told.length),
  );

/** Each half as sure as the other half came true: nothing is calibrated by itself. */
export function crossCalibrated(told: readonly Said[]): Said[] {
  const halves = [0, 1].map((half) => told.filter((_, at) => at % 2 === half)) as [Said[], Said[]];
  return halves.flatMap((half, at) => {
    const calibration = isotonic(halves[1 - at] as Said[]);
    return half.map(({ said, right }) => ({ said: calibrated(said, { calibration }), right }));
  });
}

/** Of the surest answers, how many are wrong: a line for each tenth of them. */
export function riskAndCoverage(told: readonly Said[]): string[] {
  const sorted = told.toSorted((one, other) => other.said - one.said);
  const rows = Array.from({ length: BINS }, (_, at) => {
    const surest = sorted.slice(0, Math.ceil(((at + 1) / BINS) * sorted.length));
    const wrong = surest.filter(({ right }) => !right).length / Math.max(1, surest.length);
    return `| ${(at + 1) * BINS} % | ${surest.at(-1)?.said.toFixed(2)} | ${wrong.toFixed(2)} |`;
  });
  return ['| of the surest answers | said at least | wrong |', '|---|---|---|', ...rows];
}
