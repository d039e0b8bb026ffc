import type { MetricSeries, Telemetry } from '#spec/data';
import { withOwnSeries } from '../rca/metrics/own-series.ts';
import { isWhole } from '../rca/metrics/read-metric-name.ts';
import { type NamedSeries, nameSeries } from '../rca/metrics/service-impact.ts';
import { median } from '../rca/stats.ts';
import { valuesWithin } from '../rca/windows.ts';

type Window = readonly [number, number];

/** The telemetry before and during an incident, and that of now, with the windows to compare, in unix seconds. */
export interface Comparison {
  readonly during: Telemetry;
  readonly after: Telemetry;
  readonly windows: { readonly usual: Window; readonly during: Window; readonly after: Window };
}

/** One metric of one service: its values in the three windows. */
export interface Compared {
  readonly service: string;
  readonly metric: string;
  readonly meaning: NamedSeries['meaning'];
  readonly usual: readonly number[];
  readonly during: readonly number[];
  readonly after: readonly number[];
}

/** The metrics of services as wholes, as they serve; not by caller, version or machine. */
export function comparedSeries(comparison: Comparison, services: ReadonlySet<string>): Compared[] {
  const before = wholeSeries(comparison.during, services);
  const now = wholeSeries(comparison.after, services);
  const keys = new Set([...before.keys(), ...now.keys()]);
  const { windows } = comparison;
  const all = [...keys].toSorted().flatMap((key) => {
    const old = before.get(key);
    const fresh = now.get(key);
    const named = old ?? fresh;
    if (!named) return [];
    const values = (found: NamedSeries | undefined, window: Window): number[] =>
      found ? valuesWithin(perSecond(found), window) : [];
    return [
      {
        service: named.series.service,
        metric: named.series.metric,
        meaning: named.meaning,
        usual: values(old, windows.usual),
        during: values(old, windows.during),
        after: values(fresh, windows.after),
      },
    ];
  });
  return all.map((compared) => withSilence(compared, all));
}

/** Who fails at nothing has no series of failures: where requests are counted, its absence is a zero. */
function withSilence(compared: Compared, all: readonly Compared[]): Compared {
  if (compared.meaning.signal !== 'errors' || isShare(compared.meaning.words)) return compared;
  const counted = requestsOf(compared.service, all);
  if (!counted) return compared;
  const filled = (window: 'usual' | 'during' | 'after'): readonly number[] =>
    compared[window].length || !counted[window].length ? compared[window] : [0];
  return { ...compared, usual: filled('usual'), during: filled('during'), after: filled('after') };
}

/** A share of something, not so many in a time. */
export const isShare = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:pct|percent|ratio|rate|share|availability)$/.test(word)) &&
  !words.some((word) => /^(?:second|s|rps)$/.test(word));

const NOT_OF_USERS = /^(?:queries|db|sql|cache|redis|pool|hits|misses|load|workload)$/;

/** The requests that a service is asked, not those that it makes of its stores. */
export const isTraffic = ({ meaning }: Pick<Compared, 'meaning'>): boolean =>
  meaning.signal === 'requests' && !meaning.words.some((word) => NOT_OF_USERS.test(word));

export const requestsOf = (service: string, all: readonly Compared[]): Compared | undefined =>
  all.find((compared) => compared.service === service && isTraffic(compared));

function wholeSeries({ metrics }: Telemetry, services: ReadonlySet<string>): Map<string, NamedSeries> {
  const whole = withOwnSeries(nameSeries(metrics)).filter(
    ({ series, meaning }) => services.has(series.service) && meaning.side === 'server' && isWhole(meaning),
  );
  return new Map(whole.map((named) => [`${named.series.service}\n${named.series.metric}`, named]));
}

const RATES = /^(?:second|s|sec|rps|qps|tps|minute|min|rate|ratio|share|pct|percent)$/;

/** Counts for each sample grow with its length, which two collections need not share; rates do not. */
function perSecond({ series, meaning }: NamedSeries): MetricSeries {
  const counts =
    (meaning.signal === 'requests' || meaning.signal === 'errors') &&
    !meaning.words.some((word) => RATES.test(word));
  if (!counts || series.times.length < 2) return series;
  const steps = series.times.slice(1).map((time, index) => time - (series.times[index] as number));
  const step = median(steps);
  return step > 0 ? { ...series, values: series.values.map((value) => value / step) } : series;
}
