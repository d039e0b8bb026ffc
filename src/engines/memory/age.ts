const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long ago something was, roughly, for the model: `5 hours ago`, `3 months ago`. */
export function age(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  const say = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  if (ms < HOUR_MS) return 'just now';
  if (ms < 2 * DAY_MS) return say(Math.floor(ms / HOUR_MS), 'hour');
  if (ms < 60 * DAY_MS) return say(Math.floor(ms / DAY_MS), 'day');
  if (ms < 730 * DAY_MS) return say(Math.floor(ms / (30 * DAY_MS)), 'month');
  return say(Math.floor(ms / (365 * DAY_MS)), 'year');
}
