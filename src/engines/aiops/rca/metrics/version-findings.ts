import { type Finding, soft } from '../finding.ts';
import { versionWorse } from '../words.ts';
import { mean, median, robustSpread } from '../stats.ts';
import { countChance, signChance } from '../series/chances.ts';
import { scanShift } from '../series/scan-shift.ts';
import { incidentWindow, valuesWithin, type Windows } from '../windows.ts';
import { LEAST_SIGMAS } from './measure-change.ts';
import type { Signal } from './read-metric-name.ts';
import { asFailures, isErrorShare, type NamedSeries } from './service-impact.ts';

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
  /** How likely versions that are alike lie as far apart, among all that were compared. */
  readonly chance: number;
}

/**
 * When each version served somebody, by `service\nversion`: it had requests, and they took time, as far as either is
 * measured. One that serves nobody is not better for it, and where neither is known nobody can tell.
 */
function servingTimes(metrics: readonly NamedSeries[]): ReadonlyMap<string, ReadonlySet<number>> {
  const of = (wanted: Signal): Map<string, Set<number>> => {
    const serving = new Map<string, Set<number>>();
    for (const { series, meaning } of metrics) {
      const { version, signal, side } = meaning;
      if (version === undefined || signal !== wanted || side !== 'server') continue;
      const key = `${series.service}\n${version}`;
      const times = serving.get(key) ?? new Set<number>();
      const { values } = series;
      for (const [index, value] of values.entries()) if (value > 0) times.add(series.times[index] as number);
      serving.set(key, times);
    }
    return serving;
  };
  const [slow, asked] = [of('latency'), of('requests')];
  const both = [...asked].map(([key, times]): [string, ReadonlySet<number>] => {
    const timed = slow.get(key);
    return [key, timed ? new Set([...times].filter((time) => timed.has(time))) : times];
  });
  return new Map([...slow, ...both]);
}

/** Where nobody counts requests a new version is taken to serve a tenth of them. */
const UNKNOWN_RATIO = 9;

/** Versions side by side, in the same minutes and under the same load: the best comparison there is. */
export function worseVersions(metrics: readonly NamedSeries[], windows: Windows): WorseVersion[] {
  const asked = inUnitsOfFailures(requestsOf(metrics), metrics);
  const versioned = comparable(metrics, asked);
  const serving = servingTimes(metrics);
  const groups = Map.groupBy(
    versioned.map((named) => whileServing(named, serving)),
    ({ series }) => `${series.service}\n${series.metric.split('@', 1)[0]}`,
  );
  const found = [...groups.values()].flatMap((group) =>
    group.flatMap((named) => compared(named, group, windows, asked)),
  );
  // Every comparison that was made is one more chance of an accident.
  return found
    .map(({ chance, ...rest }) => ({ ...rest, chance: Math.min(1, chance * found.length) }))
    .filter(({ strength }) => strength > 0);
}

/** The series of versions as they are compared: failures as a share of the requests. */
export const comparable = (
  metrics: readonly NamedSeries[],
  asked: Asked = inUnitsOfFailures(requestsOf(metrics), metrics),
): NamedSeries[] =>
  metrics
    .filter(({ meaning: { version } }) => version !== undefined)
    .map(asFailures)
    // What callers notice: memory, threads and machines differ between versions without harm.
    .filter(({ meaning: { of, bad } }) => of === 'calls' && bad === 'up')
    .flatMap((named) => asShare(named, asked) ?? []);

type Asked = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Requests of each version, by `service\nversion` and time. */
const requestsOf = (metrics: readonly NamedSeries[]): Asked =>
  new Map(
    metrics.flatMap(({ series: { service, times, values }, meaning: { version, signal, side } }) =>
      version !== undefined && signal === 'requests' && side === 'server'
        ? [
            [
              `${service}\n${version}`,
              new Map(times.map((time, at) => [time, values[at] as number] as const)),
            ] as const,
          ]
        : [],
    ),
  );

/**
 * Requests by the second and failures by the minute do not go together: where more fail than were asked for, requests are
 * taken as so many times more that all of them failed then.
 */
function inUnitsOfFailures(asked: Asked, metrics: readonly NamedSeries[]): Asked {
  const most = new Map<string, number>();
  for (const { series, meaning } of metrics) {
    const requests = asked.get(`${series.service}\n${meaning.version}`);
    if (!requests || meaning.signal !== 'errors' || isErrorShare(meaning)) continue;
    const times = series.times.map(
      (time, at) => (series.values[at] as number) / (requests.get(time) || Infinity),
    );
    most.set(series.service, Math.max(most.get(series.service) ?? 1, ...times));
  }
  return new Map(
    [...asked].map(([key, requests]) => {
      const times = most.get(key.split('\n', 1)[0] ?? '') ?? 1;
      return [key, new Map([...requests].map(([time, of]) => [time, of * times]))];
    }),
  );
}

/** Failures by count as a share of the requests; whoever serves more fails more often. */
function asShare(named: NamedSeries, asked: Asked): NamedSeries | undefined {
  const { series, meaning } = named;
  if (
    meaning.signal !== 'errors' ||
    isErrorShare(meaning) ||
    named.series.values.every((value) => value <= 1)
  )
    return named;
  const requests = asked.get(`${series.service}\n${meaning.version}`);
  if (!requests) return undefined;
  const kept = series.times.flatMap((time, at) => {
    const of = requests.get(time);
    return of ? [[time, (series.values[at] as number) / of] as const] : [];
  });
  return {
    meaning,
    series: { ...series, times: kept.map(([time]) => time), values: kept.map(([, value]) => value) },
  };
}

function whileServing(named: NamedSeries, serving: ReadonlyMap<string, ReadonlySet<number>>): NamedSeries {
  const { series, meaning } = named;
  const times = serving.get(`${series.service}\n${meaning.version}`) ?? new Set();
  return onlyAt(named, times);
}

function onlyAt({ series, meaning }: NamedSeries, times: ReadonlySet<number>): NamedSeries {
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

function compared(
  named: NamedSeries,
  group: readonly NamedSeries[],
  windows: Windows,
  asked: Asked,
): WorseVersion[] {
  // Side by side: in the samples in which this one and another both served.
  const mine = new Map(within(named, windows.incident));
  return group.flatMap((rival): WorseVersion[] => {
    const both = rival === named ? [] : within(rival, windows.incident).filter(([time]) => mine.has(time));
    const usual = valuesWithin(rival.series, windows.baseline);
    if (both.length < FEWEST) return [];
    const others = both.map(([, value]) => value);
    const own = both.map(([time]) => mine.get(time) as number);
    const { centre, spread } = robustSpread(others);
    const middle = median(own);
    const floor = LEAST_RELATIVE_SPREAD * Math.max(Math.abs(centre), Math.abs(middle));
    const scale = Math.max(spread, floor, Number.MIN_VALUE);
    const worse = (middle - centre) / scale >= LEAST_SIGMAS;
    const { service, metric } = named.series;
    const version = named.meaning.version ?? '';
    const [many, few] = [rival.meaning.version, version].map((one) => {
      const requests = asked.get(`${service}\n${one}`);
      return requests && both.map(([time]) => requests.get(time) ?? 0);
    });
    // The fewer requests a version serves, the more its figures scatter: as the root of how many fewer.
    const ratio = many && few && mean(few) > 0 ? mean(many) / mean(few) : UNKNOWN_RATIO;
    const before = mean(usual);
    const apart = own.map((value, at) => before + (value - (others[at] as number)) / Math.sqrt(1 + ratio));
    // What is counted cannot be surer than its count.
    const counted =
      named.meaning.signal === 'errors' && many && few
        ? countChance(failed(others, many), failed(own, few))
        : 0;
    // Sample by sample, and against how far the other one wanders by itself: two questions, of which one may tell.
    const differing = own.filter((value, at) => value !== others[at]).length;
    const wins = own.filter((value, at) => value > (others[at] as number)).length;
    const apartBy = Math.min(signChance(wins, differing), scanShift(usual, apart, 'up')?.p ?? 1);
    const chance = Math.max(counted, Math.min(1, 2 * apartBy));
    const strength = worse ? soft(Math.log((middle + scale) / (centre + scale)), HALF_FOLD) : 0;
    return [{ service, version, metric, others: centre, own: middle, strength, chance }];
  });
}

const failed = (shares: readonly number[], requests: readonly number[]): { hits: number; of: number } => ({
  hits: Math.round(shares.reduce((sum, share, at) => sum + share * (requests[at] as number), 0)),
  of: Math.round(requests.reduce((sum, one) => sum + one, 0)),
});

const within = ({ series }: NamedSeries, [from, to]: readonly [number, number]): [number, number][] =>
  series.times.flatMap((time, at) =>
    time >= from && time <= to ? [[time, series.values[at] as number] as [number, number]] : [],
  );

export const versionFindings = (worse: readonly WorseVersion[], windows: Windows): Finding[] =>
  worse.map(({ service, version, metric, others, own, strength, chance }) => ({
    source: 'version',
    service,
    strength,
    chance,
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
