import { type Finding, soft } from '../finding.ts';
import type { MachineSide } from '../places/suspect-machines.ts';
import { machineWorse, versionWorse } from '../words.ts';
import { mean, median, robustSpread } from '../stats.ts';
import { countChance, signChance } from '../series/chances.ts';
import { scanShift } from '../series/scan-shift.ts';
import { incidentWindow, instant, type Windows, within } from '../windows.ts';
import { LEAST_SIGMAS } from './measure-change.ts';
import type { MetricMeaning, Signal } from './read-metric-name.ts';
import { asFailures, bestStatistic, isErrorShare, type NamedSeries } from './service-impact.ts';

const HALF_FOLD = Math.log(2);
const LEAST_RELATIVE_SPREAD = 0.1;
const FEWEST = 2;

/** What the requests of one service are shared out to. */
type SideBy = 'version' | 'machine';

/** A part of a service that does worse than the others of it at the same time. */
export interface WorseSide {
  readonly service: string;
  /** The version, or the machine. */
  readonly side: string;
  readonly metric: string;
  readonly others: number;
  readonly own: number;
  readonly since: number;
  readonly strength: number;
  /** How likely parts that are alike lie as far apart, among all that were compared. */
  readonly chance: number;
  /** Of all that the service does worse than before, how much is this part's. */
  readonly share: number;
}

/** One way of sharing out, and what is known by it. */
interface Sides {
  readonly by: SideBy;
  readonly of: (meaning: MetricMeaning) => string | undefined;
  /** When each part served somebody, and how many. */
  readonly serving: ReadonlyMap<string, ReadonlySet<number>>;
  readonly asked: Asked;
}

/** Requests by `service\nside` and time. */
type Asked = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Where nobody counts requests a new version is taken to serve a tenth of them; machines are taken to be alike. */
const UNKNOWN_RATIO = { version: 9, machine: 1 };

const VERSION: Sides['of'] = ({ version }) => version;
const MACHINE: Sides['of'] = ({ machine }) => machine;

/** Versions side by side, in the same minutes and under the same load: the best comparison there is. */
export function worseVersions(metrics: readonly NamedSeries[], windows: Windows): WorseSide[] {
  const found = compareAll('version', VERSION, metrics, windows);
  // Every comparison that was made is one more chance of an accident.
  return found
    .map(({ chance, ...rest }) => ({ ...rest, chance: Math.min(1, chance * found.length) }))
    .filter(({ strength }) => strength > 0);
}

/** Machines in the same way. */
export const machineSides = (metrics: readonly NamedSeries[], windows: Windows): MachineSide[] =>
  compareAll('machine', MACHINE, metrics, windows).map((side) => ({
    ...side,
    evidence: { ...sideEvidence(side, machineWorse, windows), at: instant(side.since) },
  }));

/** Every part of every service against the others, each chance that of one question. */
function compareAll(
  by: SideBy,
  of: Sides['of'],
  metrics: readonly NamedSeries[],
  windows: Windows,
): WorseSide[] {
  const parts = metrics.filter(({ meaning }) => of(meaning) !== undefined);
  const asked = inUnitsOfFailures(requestsOf(parts, of), parts, of);
  const sides: Sides = { by, of, serving: servingTimes(parts, of), asked };
  const compared = comparable(parts, sides);
  const groups = Map.groupBy(
    compared.map((named) => whileServing(named, sides)),
    ({ series, meaning: { base, caller, callee } }) => [series.service, base, caller, callee].join('\n'),
  );
  const asking = by === 'version' ? [...groups.values()] : oneStatistic([...groups.values()]);
  return asking.flatMap((group) =>
    group.flatMap((named) =>
      rivalsOf(named, group, sides).flatMap((rival) => compare(named, rival, windows, sides)),
    ),
  );
}

/** As they are compared: what callers notice, failures as a share of the requests. Memory and threads differ without harm. */
const comparable = (parts: readonly NamedSeries[], sides: Pick<Sides, 'asked' | 'of'>): NamedSeries[] =>
  parts
    .map(asFailures)
    .filter(({ meaning: { of: kind, bad } }) => kind === 'calls' && bad === 'up')
    .flatMap((named) => asShare(named, sides) ?? []);

/** The series of versions and of machines as they are compared. */
export const comparableSides = (metrics: readonly NamedSeries[]): NamedSeries[] =>
  [VERSION, MACHINE].flatMap((of) => {
    const parts = metrics.filter(({ meaning }) => of(meaning) !== undefined);
    return comparable(parts, { of, asked: inUnitsOfFailures(requestsOf(parts, of), parts, of) });
  });

/** Of several statistics of the same thing one is asked: many questions need a surer answer. */
function oneStatistic(groups: readonly (readonly NamedSeries[])[]): (readonly NamedSeries[])[] {
  const alike = Map.groupBy(groups, ([one]) => `${one?.series.service}\n${one?.meaning.signal}`);
  return [...alike.values()].flatMap((same) => {
    const best = bestStatistic(same.flatMap((group) => group.slice(0, 1)));
    return same.filter(([one]) => one === best);
  });
}

const keyOf = ({ series, meaning }: NamedSeries, of: Sides['of']): string =>
  `${series.service}\n${of(meaning)}`;

/**
 * It had requests, and they took time, as far as either is measured. One that serves nobody is not better for it, and
 * where neither is known nobody can tell.
 */
function servingTimes(parts: readonly NamedSeries[], of: Sides['of']): Sides['serving'] {
  const when = (wanted: Signal): Map<string, Set<number>> => {
    const serving = new Map<string, Set<number>>();
    for (const named of parts) {
      const { signal, side } = named.meaning;
      if (signal !== wanted || side !== 'server') continue;
      const key = keyOf(named, of);
      const times = serving.get(key) ?? new Set<number>();
      const { values } = named.series;
      for (const [index, value] of values.entries())
        if (value > 0) times.add(named.series.times[index] as number);
      serving.set(key, times);
    }
    return serving;
  };
  const [slow, asked] = [when('latency'), when('requests')];
  const both = [...asked].map(([key, times]): [string, ReadonlySet<number>] => {
    const timed = slow.get(key);
    return [key, timed ? new Set([...times].filter((time) => timed.has(time))) : times];
  });
  return new Map([...slow, ...both]);
}

function requestsOf(parts: readonly NamedSeries[], of: Sides['of']): Asked {
  const asked = new Map<string, Map<number, number>>();
  for (const named of parts) {
    if (named.meaning.signal !== 'requests' || named.meaning.side !== 'server') continue;
    const key = keyOf(named, of);
    const counted = asked.get(key) ?? new Map<number, number>();
    const { times, values } = named.series;
    // Several replicas on one machine are one.
    for (const [at, time] of times.entries())
      counted.set(time, (counted.get(time) ?? 0) + (values[at] as number));
    asked.set(key, counted);
  }
  return asked;
}

/**
 * Requests by the second and failures by the minute do not go together: where more fail than were asked for, requests are
 * taken as so many times more that all of them failed then.
 */
function inUnitsOfFailures(asked: Asked, parts: readonly NamedSeries[], of: Sides['of']): Asked {
  const most = new Map<string, number>();
  for (const named of parts) {
    const { series, meaning } = named;
    const requests = asked.get(keyOf(named, of));
    if (!requests || meaning.signal !== 'errors' || isErrorShare(meaning)) continue;
    const times = series.times.map(
      (time, at) => (series.values[at] as number) / (requests.get(time) || Infinity),
    );
    most.set(series.service, Math.max(most.get(series.service) ?? 1, ...times));
  }
  return new Map(
    [...asked].map(([key, requests]) => {
      const times = most.get(key.split('\n', 1)[0] ?? '') ?? 1;
      return [key, new Map([...requests].map(([time, count]) => [time, count * times]))];
    }),
  );
}

/** Failures by count as a share of the requests; whoever serves more fails more often. */
function asShare(named: NamedSeries, { asked, of }: Pick<Sides, 'asked' | 'of'>): NamedSeries | undefined {
  const { series, meaning } = named;
  if (
    meaning.signal !== 'errors' ||
    isErrorShare(meaning) ||
    named.series.values.every((value) => value <= 1)
  )
    return named;
  const requests = asked.get(keyOf(named, of));
  if (!requests) return undefined;
  const kept = series.times.flatMap((time, at) => {
    const count = requests.get(time);
    return count ? [[time, (series.values[at] as number) / count] as const] : [];
  });
  return {
    meaning,
    series: { ...series, times: kept.map(([time]) => time), values: kept.map(([, value]) => value) },
  };
}

function whileServing(named: NamedSeries, { serving, of }: Sides): NamedSeries {
  const { series, meaning } = named;
  const times = serving.get(keyOf(named, of)) ?? new Set();
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

/** What a part is compared with: its values and its requests, by time. */
interface Rival {
  readonly values: ReadonlyMap<number, number>;
  readonly requests: ReadonlyMap<number, number> | undefined;
}

/** One version was followed by the next: each is compared with each. Machines are many of a kind: each with all others. */
function rivalsOf(named: NamedSeries, group: readonly NamedSeries[], { by, of, asked }: Sides): Rival[] {
  const rivals = group.filter((other) => of(other.meaning) !== of(named.meaning));
  const each = rivals.map((rival) => ({
    values: samplesOf(rival),
    requests: asked.get(keyOf(rival, of)),
  }));
  return by === 'version' || each.length < 2 ? each : [together(each)];
}

const samplesOf = ({ series }: NamedSeries): ReadonlyMap<number, number> =>
  new Map(series.times.map((time, at) => [time, series.values[at] as number]));

/** The mean by requests, in the samples that any of them has. */
function together(rivals: readonly Rival[]): Rival {
  const sums = new Map<number, { value: number; weight: number }>();
  const counted = new Map<number, number>();
  for (const { values, requests } of rivals) {
    for (const [time, value] of values) {
      const weight = requests?.get(time) ?? 1;
      const sum = sums.get(time) ?? { value: 0, weight: 0 };
      sums.set(time, { value: sum.value + value * weight, weight: sum.weight + weight });
      if (requests) counted.set(time, (counted.get(time) ?? 0) + weight);
    }
  }
  const ordered = [...sums].filter(([, { weight }]) => weight > 0).sort(([one], [other]) => one - other);
  return {
    values: new Map(ordered.map(([time, { value, weight }]) => [time, value / weight])),
    requests: counted.size ? counted : undefined,
  };
}

interface Both {
  readonly times: readonly number[];
  readonly own: readonly number[];
  readonly others: readonly number[];
}

/** Side by side: in the samples in which this one and another both served. */
function bothWithin(named: NamedSeries, rival: Rival, [from, to]: readonly [number, number]): Both {
  const mine = samplesOf(named);
  const times = [...rival.values.keys()].filter((time) => time >= from && time <= to && mine.has(time));
  return {
    times,
    own: times.map((time) => mine.get(time) as number),
    others: times.map((time) => rival.values.get(time) as number),
  };
}

function compare(named: NamedSeries, rival: Rival, windows: Windows, { by, of, asked }: Sides): WorseSide[] {
  const during = bothWithin(named, rival, windows.incident);
  const before = bothWithin(named, rival, windows.baseline);
  const { service, metric } = named.series;
  const { signal } = named.meaning;
  const side = of(named.meaning) ?? '';
  // A version is new. A machine was there before, and may get worse at any time of the window.
  const apart = by === 'machine' ? whileApart(before, during, signal) : { ...during, gone: undefined };
  if (!apart || during.times.length < FEWEST) return [];
  const { times, own, others } = apart;
  const { centre, spread } = robustSpread(others);
  const middle = median(own);
  const floor = LEAST_RELATIVE_SPREAD * Math.max(Math.abs(centre), Math.abs(middle));
  const scale = Math.max(spread, floor, Number.MIN_VALUE);
  const worse = (middle - centre) / scale >= LEAST_SIGMAS;
  const [many, few] = [rival.requests, asked.get(`${service}\n${side}`)].map(
    (requests) => requests && times.map((time) => requests.get(time) ?? 0),
  );
  // The fewer requests a part serves, the more its figures scatter: as the root of how many fewer.
  const ratio = many && few && mean(few) > 0 ? mean(many) / mean(few) : UNKNOWN_RATIO[by];
  const usual = [...rival.values].flatMap(([time, value]) => (within(time, windows.baseline) ? [value] : []));
  const chance = apart.gone ?? apartChance(apart, usual, ratio);
  // What is counted cannot be surer than its count.
  const counted =
    signal === 'errors' && many && few ? countChance(failed(others, many), failed(own, few)) : 0;
  const strength = worse ? soft(Math.log((middle + scale) / (centre + scale)), HALF_FOLD) : 0;
  const beyond = Math.max(0, middle - centre);
  const shared = Math.max(0, centre - mean(usual)) * (1 + ratio);
  return [
    {
      service,
      side,
      metric,
      others: centre,
      own: middle,
      since: times[0] as number,
      strength,
      chance: Math.max(counted, chance),
      share: beyond > 0 ? beyond / (beyond + shared) : 0,
    },
  ];
}

/** Sample by sample, and against how far the other one wanders by itself: two questions, of which one may tell. */
function apartChance({ own, others }: Both, usual: readonly number[], ratio: number): number {
  const before = mean(usual);
  const apart = own.map((value, at) => before + (value - (others[at] as number)) / Math.sqrt(1 + ratio));
  const differing = own.filter((value, at) => value !== others[at]).length;
  const wins = own.filter((value, at) => value > (others[at] as number)).length;
  return Math.min(1, 2 * Math.min(signChance(wins, differing), scanShift(usual, apart, 'up')?.p ?? 1));
}

/**
 * The stretch in which one lies further above the others than it ever did, and how likely that is chance. It is measured in
 * multiples, since what harms all harms each by its measure; what it always was worse by is taken off.
 */
function whileApart(before: Both, during: Both, signal: Signal): (Both & { gone: number }) | undefined {
  // Failures may be none: what is usual, and at least one sample of the worst, stands below each.
  const most = [before, during].reduce((top, { own, others }) => Math.max(top, ...own, ...others), 0);
  const below =
    signal === 'latency'
      ? 0
      : mean([...before.own, ...before.others]) + most / before.times.length + Number.MIN_VALUE;
  const distances = ({ own, others }: Both): number[] =>
    own.map((value, at) => Math.log((value + below) / ((others[at] as number) + below)));
  const shift = scanShift(distances(before), distances(during), 'up');
  if (!shift) return undefined;
  const usual = Math.exp(Math.max(0, shift.before));
  return {
    times: during.times.slice(shift.from, shift.to),
    own: during.own.slice(shift.from, shift.to).map((value) => (value + below) / usual - below),
    others: during.others.slice(shift.from, shift.to),
    gone: shift.p,
  };
}

const failed = (shares: readonly number[], requests: readonly number[]): { hits: number; of: number } => ({
  hits: Math.round(shares.reduce((sum, share, at) => sum + Math.max(0, share) * (requests[at] as number), 0)),
  of: Math.round(requests.reduce((sum, one) => sum + one, 0)),
});

/** A version that does worse speaks for its service: a release of it. */
export const versionFindings = (worse: readonly WorseSide[], windows: Windows): Finding[] =>
  worse.map((side) => ({
    source: 'version',
    service: side.service,
    strength: side.strength,
    chance: side.chance,
    category: 'deploy_regression',
    evidence: sideEvidence(side, versionWorse, windows),
  }));

const sideEvidence = (
  { service, side, metric, own, others }: WorseSide,
  tell: typeof versionWorse,
  windows: Windows,
): Finding['evidence'] => ({
  kind: 'metric',
  service,
  summary: tell({ metric, service }, { side, own, others }),
  query: `${metric}{service="${service}"}`,
  window: incidentWindow(windows),
  baseline: others,
  during: own,
});
