import { type Instrument, tellingInstruments } from './signals/index.ts';
import { inParallel } from '../wire/in-parallel.ts';
import type { PrometheusApi } from './prometheus-api.ts';
import { selector } from './promql.ts';

/** An instrument that is in use there, with the labels that it has. */
export interface FoundInstrument {
  readonly instrument: Instrument;
  readonly labels: ReadonlySet<string>;
  /** Those of them that name the service, the most telling first; none after one that every series has. */
  readonly serviceLabels: readonly string[];
  /** Of a duration: there are buckets to take quantiles from. */
  readonly hasBuckets: boolean;
}

export interface Discovered {
  readonly found: readonly FoundInstrument[];
  /** How far samples stand apart, as most targets have it. */
  readonly scrapeSeconds: number;
}

const MOST_AT_ONCE = 6;
const LONGEST_LOOK_SECONDS = 3_600;
/** Where nobody can tell. */
const USUAL_SCRAPE_SECONDS = 30;

/** The name whose presence tells that an instrument is in use. */
const mainName = (instrument: Instrument): string =>
  instrument.kind === 'requests' && instrument.shape === 'duration'
    ? `${instrument.family}_count`
    : instrument.family;

/** Unix seconds. */
interface Times {
  readonly start: number;
  readonly end: number;
}

interface Looking {
  readonly catalogue: readonly Instrument[];
  readonly serviceLabels: readonly string[];
  /** Where nobody says it, it is read from the samples. */
  readonly scrapeSeconds: number | undefined;
}

/** What of the catalogue this Prometheus has between two times. */
export async function discover(
  api: PrometheusApi,
  { catalogue, serviceLabels, scrapeSeconds }: Looking,
  times: Times,
  signal: AbortSignal,
): Promise<Discovered> {
  const names = new Set(await api.names(times, signal));
  const isThere = (instrument: Instrument): boolean =>
    names.has(mainName(instrument)) &&
    (instrument.kind !== 'level' || (instrument.per ?? []).every((family) => names.has(family)));
  const known = catalogue.filter(isThere);
  const read = new Set(
    known.flatMap((one) => [
      mainName(one),
      ...(one.kind === 'level' ? (one.per ?? []) : [one.failedFamily ?? '']),
    ]),
  );
  const all = [...known, ...tellingInstruments(names, read)];
  const families = [...new Set(all.map(mainName))];
  const labels = await inParallel(
    MOST_AT_ONCE,
    families.map((family) => async () => [family, new Set(await api.labels(family, times, signal))] as const),
  );
  const labelsOf = new Map(labels);
  const found = all.map((instrument) => async (): Promise<FoundInstrument> => {
    const own = labelsOf.get(mainName(instrument)) ?? new Set();
    const naming = (instrument.services ?? serviceLabels).filter((label) => own.has(label));
    return {
      instrument,
      labels: own,
      serviceLabels: await neededLabels(api, instrument, naming, times, signal),
      hasBuckets: names.has(`${instrument.family}_bucket`),
    };
  });
  return {
    found: await inParallel(MOST_AT_ONCE, found),
    scrapeSeconds: scrapeSeconds ?? (await scrapeInterval(api, names, families, times.end, signal)),
  };
}

/** Mostly every series has the first: then queries need no other, and stay short enough to be read. */
async function neededLabels(
  api: PrometheusApi,
  instrument: Instrument,
  naming: readonly string[],
  { start, end }: Times,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [first] = naming;
  if (first === undefined || naming.length === 1) return naming;
  const nameless = selector(mainName(instrument), instrument.where, `${first}=""`);
  const back = Math.ceil(Math.min(Math.max(end - start, 60), LONGEST_LOOK_SECONDS));
  const count = await api.number(`count(present_over_time(${nameless}[${back}s]))`, end, signal);
  return count === undefined ? [first] : naming;
}

/** From the samples themselves, so that it also holds for what was recorded long ago or sent in from elsewhere. */
async function scrapeInterval(
  api: PrometheusApi,
  names: ReadonlySet<string>,
  families: readonly string[],
  end: number,
  signal: AbortSignal,
): Promise<number> {
  for (const family of names.has('up') ? ['up', ...families.slice(0, 2)] : families.slice(0, 3)) {
    for (const look of LOOKS) {
      const seconds = await api.number(sampleDistance(family, look), end, signal);
      if (seconds !== undefined && seconds > 0) return seconds;
    }
  }
  return USUAL_SCRAPE_SECONDS;
}

/** A minute closely first: a Prometheus that has just been started has no more. */
const LOOKS = ['1m:1s', '10m:15s'] as const;

/** Time between the first and the last sample by their number; of the slower targets, for rates must see those too. */
function sampleDistance(family: string, look: (typeof LOOKS)[number]): string {
  const times = `timestamp(${family})[${look}]`;
  return `quantile(0.9, (max_over_time(${times}) - min_over_time(${times})) / (changes(${times}) > 0))`;
}
