import type { TimeWindow } from '#spec/data';
import { windowMs } from '../wire/time-window.ts';

/** Times in unix seconds, steps and rate windows in whole seconds. */
export interface RangePlan {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly rate: number;
}

const MOST_POINTS = 240;
/** Fewer samples than this in a rate window, and a missed scrape leaves a hole. */
const SAMPLES_IN_RATE = 4;

/** At most 240 points, none closer than the samples are; a rate sees at least four samples and every one of them. */
export function planRange(window: TimeWindow, scrapeSeconds: number): RangePlan {
  const { from, to } = windowMs(window);
  const [start, end] = [from / 1_000, to / 1_000];
  const step = Math.max(1, Math.round(scrapeSeconds), Math.ceil((end - start) / (MOST_POINTS - 1)));
  return { start, end, step, rate: Math.max(Math.ceil(SAMPLES_IN_RATE * scrapeSeconds), step) };
}
