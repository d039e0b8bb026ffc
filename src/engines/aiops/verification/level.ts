import { sortedQuantile, rising, mean, robustSpread } from '../rca/stats.ts';

/** What one thing amounted to: usually, at its worst, and now. Higher is worse. */
export interface Levels {
  readonly usual: number | undefined;
  readonly during: number | undefined;
  readonly after: number | undefined;
  /** How far it usually goes up and down. */
  readonly spread: number;
}

/** Less than this is nothing, whatever the usual level is: a scale close to zero would make everything remarkable. */
export type LeastStep = number;

/** Of the way back from its worst to its usual level, what may be missing. */
const MISSING_SHARE = 0.2;
/** A quarter more than usual, or three deviations, is usual. */
const USUAL_SHARE = 0.25;
const USUAL_SIGMAS = 3;
/** However bad it was: more than twice the most that is usual is not well. */
const MOST_FOLD = 2;
const UNTOUCHED_FOLD = 1.5;
const MILD_FOLD = 2;
/** An incident window begins before the fault does: its middle would tell of the time before. */
const WORST_SHARE = 0.9;

export function levelsOf(
  usual: readonly number[],
  during: readonly number[],
  after: readonly number[],
  statistic: 'mean' | 'median',
): Levels {
  const centre = (values: readonly number[]): number | undefined => {
    if (!values.length) return undefined;
    return statistic === 'mean' ? mean(values) : sortedQuantile(rising(values), 0.5);
  };
  return {
    usual: centre(usual),
    during: during.length ? sortedQuantile(rising(during), WORST_SHARE) : undefined,
    after: centre(after),
    spread: usual.length > 2 ? robustSpread(usual).spread : 0,
  };
}

/** The most that is still usual. */
const mostUsual = ({ usual = 0, spread }: Levels, least: LeastStep): number =>
  usual + Math.max(USUAL_SIGMAS * spread, USUAL_SHARE * Math.abs(usual), least);

/** Whether it was part of what went wrong. */
export const wasBad = (levels: Levels, least: LeastStep): boolean =>
  levels.during !== undefined && levels.during > mostUsual(levels, least);

/**
 * Whether it is well again: within what is usual, or most of the way back and not far above it. Undefined without a
 * number from now, or without anything to compare it with.
 */
export function isBack(levels: Levels, least: LeastStep): boolean | undefined {
  const { usual, during, after } = levels;
  if (after === undefined || (usual === undefined && during === undefined)) return undefined;
  const normal = mostUsual(levels, least);
  if (!wasBad(levels, least)) return after <= Math.max(normal * UNTOUCHED_FOLD, normal);
  // What was never twice its usual level was not what people suffered from: half more of it is well.
  if (
    usual !== undefined &&
    during !== undefined &&
    during < usual * MILD_FOLD &&
    after <= usual * UNTOUCHED_FOLD
  )
    return true;
  const mostOfTheWay = (usual ?? 0) + MISSING_SHARE * ((during ?? 0) - (usual ?? 0));
  return after <= Math.max(normal, Math.min(mostOfTheWay, normal * MOST_FOLD));
}
