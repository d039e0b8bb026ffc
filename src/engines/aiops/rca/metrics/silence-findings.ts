import { type Finding, MAY_BE_CHANCE, soft } from '../finding.ts';
import { median } from '../stats.ts';
import { incidentWindow, instant, type Windows, within } from '../windows.ts';
import { fellSilent } from '../words.ts';
import { FEWEST } from './measure-change.ts';
import { isWhole } from './read-metric-name.ts';
import type { NamedSeries } from './service-impact.ts';

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
    // As many samples missing in a row, by how often one was missing before; fewer are a late scrape.
    const chance = reports.size * ((expected - before.length + 1) / (expected + 1)) ** Math.round(missing);
    if (!within(end, windows.incident) || !(missing >= FEWEST) || !(chance <= MAY_BE_CHANCE)) return [];
    return [
      {
        source: 'silence',
        service,
        strength: soft(missing - FEWEST + 1, FEWEST),
        chance,
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
