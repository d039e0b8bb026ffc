import type { OnsetSeries } from '../changes/rank-changes.ts';
import { median } from '../stats.ts';
import type { Windows } from '../windows.ts';
import { findOnset } from './find-onset.ts';
import type { NamedSeries } from './service-impact.ts';

/** Every series that is out of its range in the incident, with its onset and its levels on both sides of it. */
export function onsetSeries(metrics: readonly NamedSeries[], windows: Windows): OnsetSeries[] {
  return metrics.flatMap((named) => {
    const { service, metric, times, values } = named.series;
    const at = findOnset(named, windows);
    if (at === undefined) return [];
    const part = (keep: (time: number) => boolean): number =>
      median(values.filter((_, index) => keep(times[index] ?? 0)));
    return [
      {
        service,
        metric,
        at,
        before: part((time) => time >= windows.baseline[0] && time < at),
        during: part((time) => time >= at && time <= windows.incident[1]),
      },
    ];
  });
}
