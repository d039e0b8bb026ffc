import type { MetricSeries } from '#spec/data';
import { readMetricName, type Signal } from './read-metric-name.ts';

/** What is filled and used up may rise all day and is no count of anything. */
const LEVELS: ReadonlySet<Signal> = new Set([
  'cpu',
  'memory',
  'disk',
  'saturation',
  'expiry',
  'availability',
  'latency',
]);
/** By its shape: none of that name ever falls but to begin anew, and one of them hardly ever stands still. */
const MOVES = 0.5;
const FEWEST = 8;

/** Totals as what was added from sample to sample: a counter tells what happens only by how it grows. */
export function withoutTotals(metrics: readonly MetricSeries[]): MetricSeries[] {
  const named = Map.groupBy(metrics, ({ metric }) => plainName(metric));
  const totals = new Set([...named].flatMap(([name, series]) => (areTotals(name, series) ? [name] : [])));
  return metrics.map((series) => (totals.has(plainName(series.metric)) ? grown(series) : series));
}

/** Without what tells versions and ends of calls apart: series of one name are of one kind. */
const plainName = (metric: string): string => metric.replace(/@.*$|_(?:to|from)_.*$/, '');

function areTotals(name: string, all: readonly MetricSeries[]): boolean {
  if (LEVELS.has(readMetricName(name).signal)) return false;
  const moves = all.map(({ values }) => movesOf(values));
  if (moves.some(({ falls, slides, of }) => slides > 0 || falls > 1 + of / FEWEST)) return false;
  return /total$/i.test(name)
    ? moves.some(({ rises }) => rises > 0)
    : moves.some(({ rises, of }) => of >= FEWEST && rises >= MOVES * of);
}

function movesOf(values: readonly number[]): { rises: number; falls: number; slides: number; of: number } {
  let [rises, falls, slides] = [0, 0, 0];
  for (let at = 1; at < values.length; at++) {
    const [before, now] = [values[at - 1] as number, values[at] as number];
    if (now > before) rises++;
    // A process that began anew counts from nothing; what only falls a little is no total.
    else if (now < before / 2) falls++;
    else if (now < before) slides++;
  }
  return { rises, falls, slides, of: values.length - 1 };
}

function grown({ times, values, ...rest }: MetricSeries): MetricSeries {
  const added = values.slice(1).map((value, at) => {
    const before = values[at] as number;
    return value >= before ? value - before : value;
  });
  return { ...rest, times: times.slice(1), values: added };
}
