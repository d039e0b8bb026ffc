import type { TimeWindow } from '#spec/data';

export interface IncidentWindows {
  readonly baseline: TimeWindow;
  readonly incident: TimeWindow;
  /** From the start of the first to the end of the second. */
  readonly whole: TimeWindow;
  readonly changes: TimeWindow;
}

interface WindowLengths {
  readonly baselineMs: number;
  readonly leadMs: number;
  readonly incidentMs: number;
  readonly changesMs: number;
}

const instant = (ms: number): string => new Date(ms).toISOString();

/**
 * The incident begins some time before its alert, since alerts come late, and lasts until now; the baseline is what came
 * before. An alert from the future counts as one from now.
 */
export function incidentWindows(
  startsAt: string,
  { baselineMs, leadMs, incidentMs, changesMs }: WindowLengths,
  now: number,
): IncidentWindows {
  const alert = Math.min(Date.parse(startsAt), now);
  const start = alert - leadMs;
  const end = Math.min(now, alert + incidentMs);
  const from = start - baselineMs;
  return {
    baseline: { start: instant(from), end: instant(start - 1) },
    incident: { start: instant(start), end: instant(end) },
    whole: { start: instant(from), end: instant(end) },
    changes: { start: instant(Math.min(from, alert - changesMs)), end: instant(end) },
  };
}
