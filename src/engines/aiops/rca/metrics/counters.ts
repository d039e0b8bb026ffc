import type { MetricSeries } from '#spec/data';
import { readMetricName } from './read-metric-name.ts';

/** So many rises in a row are no accident: what goes both ways does it once in a few hundred times. */
const FEWEST_RISES = 8;

/** Totals as what was added from sample to sample: a counter tells what happens only by how it grows. */
export function withoutTotals(metrics: readonly MetricSeries[]): MetricSeries[] {
  const named = [...Map.groupBy(metrics, ({ metric }) => readMetricName(metric).base)];
  return named.flatMap(([name, series]) => (areTotals(name, series) ? series.map(grown) : series));
}

/** By their shape: none of that name ever falls but to begin anew, and one of them rises all the time. */
function areTotals(name: string, all: readonly MetricSeries[]): boolean {
  const moves = all.map(({ values }) => movesOf(values));
  if (moves.some(({ rises, falls, slides }) => slides > 0 || falls > 1 + rises)) return false;
  const least = /total$/i.test(name) ? 1 : FEWEST_RISES;
  return moves.some(({ rises }) => rises >= least);
}

function movesOf(values: readonly number[]): { rises: number; falls: number; slides: number } {
  let [rises, falls, slides] = [0, 0, 0];
  for (let at = 1; at < values.length; at++) {
    const [before, now] = [values[at - 1] as number, values[at] as number];
    if (now > before) rises++;
    // A process that began anew counts from nothing; what only falls a little is no total.
    else if (now < before / 2) falls++;
    else if (now < before) slides++;
  }
  return { rises, falls, slides };
}

function grown({ times, values, ...rest }: MetricSeries): MetricSeries {
  const added = values.slice(1).map((value, at) => {
    const before = values[at] as number;
    return value >= before ? value - before : value;
  });
  return { ...rest, times: times.slice(1), values: added };
}
