import { type Finding, soft } from '../finding.ts';
import { versionWorse } from '../words.ts';
import { median, robustSpread } from '../stats.ts';
import { incidentWindow, valuesWithin, type Windows } from '../windows.ts';
import { asFailures, type NamedSeries } from './service-impact.ts';

const LEAST_SIGMAS = 3;
const HALF_FOLD = Math.log(2);
const LEAST_RELATIVE_SPREAD = 0.1;
const FEWEST = 2;

/** A version that does worse than the others of its service at the same time. */
export interface WorseVersion {
  readonly service: string;
  readonly version: string;
  readonly metric: string;
  readonly others: number;
  readonly own: number;
  readonly strength: number;
}

/** When each version had requests, by `service\nversion`: one that serves nobody is not better for it. */
function servingTimes(metrics: readonly NamedSeries[]): ReadonlyMap<string, ReadonlySet<number>> {
  const serving = new Map<string, Set<number>>();
  for (const { series, meaning } of metrics) {
    const { version, signal, side } = meaning;
    if (version === undefined || signal !== 'requests' || side !== 'server') continue;
    const key = `${series.service}\n${version}`;
    const times = serving.get(key) ?? new Set<number>();
    for (const [index, value] of series.values.entries())
      if (value > 0) times.add(series.times[index] as number);
    serving.set(key, times);
  }
  return serving;
}

/** Versions side by side, in the same minutes and under the same load: the best comparison there is. */
export function worseVersions(metrics: readonly NamedSeries[], windows: Windows): WorseVersion[] {
  const versioned = metrics
    .map(asFailures)
    .filter(({ meaning }) => meaning.version !== undefined && meaning.bad === 'up');
  const serving = servingTimes(metrics);
  const groups = Map.groupBy(
    versioned.map((named) => whileServing(named, serving)),
    ({ series }) => `${series.service}\n${series.metric.split('@', 1)[0]}`,
  );
  return [...groups.values()].flatMap((group) => group.flatMap((named) => compared(named, group, windows)));
}

function whileServing(named: NamedSeries, serving: ReadonlyMap<string, ReadonlySet<number>>): NamedSeries {
  const { series, meaning } = named;
  const times = serving.get(`${series.service}\n${meaning.version}`);
  if (!times) return named;
  const kept = series.times.flatMap((time, index) => (times.has(time) ? [index] : []));
  return {
    meaning,
    series: {
      ...series,
      times: kept.map((index) => series.times[index] as number),
      values: kept.map((index) => series.values[index] as number),
    },
  };
}

function compared(named: NamedSeries, group: readonly NamedSeries[], windows: Windows): WorseVersion[] {
  const during = valuesWithin(named.series, windows.incident);
  const others = group
    .filter((other) => other !== named)
    .flatMap(({ series }) => valuesWithin(series, windows.incident));
  if (during.length < FEWEST || others.length < FEWEST) return [];
  const { centre, spread } = robustSpread(others);
  const own = median(during);
  const floor = LEAST_RELATIVE_SPREAD * Math.max(Math.abs(centre), Math.abs(own));
  const scale = Math.max(spread, floor, Number.MIN_VALUE);
  if ((own - centre) / scale < LEAST_SIGMAS) return [];
  const { service, metric } = named.series;
  const strength = soft(Math.log((own + scale) / (centre + scale)), HALF_FOLD);
  return [{ service, version: named.meaning.version ?? '', metric, others: centre, own, strength }];
}

export const versionFindings = (worse: readonly WorseVersion[], windows: Windows): Finding[] =>
  worse.map(({ service, version, metric, others, own, strength }) => ({
    source: 'version',
    service,
    strength,
    category: 'deploy_regression',
    evidence: {
      kind: 'metric',
      service,
      summary: versionWorse({ metric, service }, { version, own, others }),
      query: `${metric}{service="${service}"}`,
      window: incidentWindow(windows),
      baseline: others,
      during: own,
    },
  }));
