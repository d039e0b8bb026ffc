import type { IncidentBundle, MetricSeries, TimeWindow } from '#spec/data';

/** The windows of an incident in unix seconds, both ends included. */
export interface Windows {
  readonly baseline: readonly [number, number];
  readonly incident: readonly [number, number];
  readonly alert: number;
}

export const MILLISECONDS = 1000;
export const seconds = (instant: string): number => Date.parse(instant) / MILLISECONDS;

export const windowsOf = ({ baseline, incident, startsAt }: IncidentBundle): Windows => ({
  baseline: [seconds(baseline.start), seconds(baseline.end)],
  incident: [seconds(incident.start), seconds(incident.end)],
  alert: seconds(startsAt),
});

export const within = (time: number, [start, end]: readonly [number, number]): boolean =>
  time >= start && time <= end;

/** The values of a series inside a window. Times rise. */
export function valuesWithin({ times, values }: MetricSeries, window: readonly [number, number]): number[] {
  let from = 0;
  while (from < times.length && (times[from] as number) < window[0]) from++;
  let to = from;
  while (to < times.length && (times[to] as number) <= window[1]) to++;
  return values.slice(from, to);
}

export const instant = (time: number): string => new Date(Math.round(time * MILLISECONDS)).toISOString();

/** The window of the incident as evidence names it. */
export const incidentWindow = ({ incident: [start, end] }: Pick<Windows, 'incident'>): TimeWindow => ({
  start: instant(start),
  end: instant(end),
});
