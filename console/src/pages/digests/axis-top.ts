const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DURATIONS = [2, 10, 20, 60, 120, 300, 600, 1_200, 1_800, 3_600].map((seconds) => seconds * SECOND);

/** Where an axis of counts ends: half of it is a whole number, too. */
export const countTop = (most: number): number => Math.max(2, Math.ceil(most / 2) * 2);

/** Where an axis of durations ends: at a round one, of which half is round, too. */
export const durationTop = (most: number): number =>
  DURATIONS.find((each) => each >= most) ?? Math.ceil(most / (2 * HOUR)) * 2 * HOUR;
