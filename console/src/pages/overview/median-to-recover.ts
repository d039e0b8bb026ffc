import type { Incident } from '#spec/data';

/** How long it took from the start to the verified recovery, in milliseconds; the middle one of all that recovered. */
export function medianToRecover(
  incidents: readonly Pick<Incident, 'state' | 'startsAt' | 'closedAt'>[],
): number | undefined {
  const times = incidents
    .flatMap(({ state, startsAt, closedAt }) =>
      state === 'recovered' && closedAt !== undefined ? [closedAt - new Date(startsAt).getTime()] : [],
    )
    .sort((one, other) => one - other);
  const middle = Math.floor(times.length / 2);
  if (times.length % 2 === 1) return times[middle];
  const [low, high] = times.slice(middle - 1);
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
