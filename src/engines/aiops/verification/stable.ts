import type { Recovery } from '#spec/data';

const NEEDED = 3;

/** Whether the newest checks, oldest first, were all good: so many in a row as are needed. */
export function stable(checks: readonly Recovery[], needed: number = NEEDED): boolean {
  const newest = checks.slice(-needed);
  return newest.length >= Math.max(1, needed) && newest.every(({ status }) => status === 'recovered');
}
