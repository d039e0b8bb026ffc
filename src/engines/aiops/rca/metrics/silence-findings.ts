import { type Finding, soft } from '../finding.ts';
import { median } from '../stats.ts';
import { incidentWindow, instant, type Windows, within } from '../windows.ts';
import { fellSilent } from '../words.ts';
import { isWhole } from './read-metric-name.ts';
import type { NamedSeries } from './service-impact.ts';

/** Fewer missing samples are a late scrape. */
const FEWEST_MISSING = 4;
const HALF_MISSING = 4;
/** Whoever reported less than this share of its samples before was never reliable. */
const LEAST_REPORTED = 0.9;

interface Reported {
  readonly times: readonly number[];
  readonly metric: string;
}

/**
 * Services that always reported and stopped within the incident while others went on: processes that are gone, or no
 * longer get to it. Nothing is said about series of single versions, callers or kinds of failure, which come and go.
 */
export function silenceFindings(metrics: readonly NamedSeries[], windows: Windows): Finding[] {
  const reports = reportsOf(metrics);
  const last = Math.max(...[...reports.values()].map(({ times }) => times.at(-1) ?? 0));
  return [...reports].flatMap(([service, { times, metric }]) => {
    const end = times.at(-1) ?? 0;
    const step = median(times.slice(1).map((time, index) => time - (times[index] ?? time)));
    const before = times.filter((time) => within(time, windows.baseline));
    const expected = ((before.at(-1) ?? 0) - (before[0] ?? 0)) / step + 1;
    const missing = (Math.min(last, windows.incident[1]) - end) / step;
    if (!within(end, windows.incident) || !(missing >= FEWEST_MISSING)) return [];
    if (before.length < FEWEST_MISSING || before.length < expected * LEAST_REPORTED) return [];
    return [
      {
        source: 'silence',
        service,
        strength: soft(missing - FEWEST_MISSING + 1, HALF_MISSING),
        // As many samples missing in a row, by how often one was missing before.
        chance: ((expected - before.length + 1) / (expected + 1)) ** Math.round(missing),
        category: 'crash_loop',
        evidence: {
          kind: 'metric',
          service,
          summary: fellSilent({ metric, service }, instant(end), Math.round(missing)),
          query: `${metric}{service="${service}"}`,
          window: incidentWindow(windows),
          at: instant(end),
        },
      } satisfies Finding,
    ];
  });
}

/** The series of each service that goes on for longest. */
function reportsOf(metrics: readonly NamedSeries[]): ReadonlyMap<string, Reported> {
  const reports = new Map<string, Reported>();
  for (const { series, meaning } of metrics) {
    if (!isWhole(meaning)) continue;
    const known = reports.get(series.service);
    const end = series.times.at(-1) ?? 0;
    if (known && (known.times.at(-1) ?? 0) >= end) continue;
    reports.set(series.service, { times: series.times, metric: series.metric });
  }
  return reports;
}
