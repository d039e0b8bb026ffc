import { namesMachine } from '#kit/machine-name';
import type { MetricSeries } from '#spec/data';
import { knownSteps, levelOf, meanOf, quantileOf, rateOf, ratio, samples, type Steps } from './fold.ts';
import type { Grid } from './grid.ts';
import {
  calleeOf,
  codeOf,
  isCalled,
  isFailure,
  isListed,
  isServed,
  machineOf,
  plainName,
  signalName,
  toMs,
  VERSION_KEYS,
  versionOf,
} from './instrument-names.ts';
import { isCounter, type SeriesOnGrid } from './read-series.ts';

type Named = readonly [metric: string, values: Steps];

interface Folding {
  readonly grid: Grid;
  readonly known: Uint8Array;
}

/** Beyond so many combinations of attributes, a metric is given as a whole only. */
const MOST_PARTS = 8;
/** Beyond so many machines a service is given as a whole only: what is read of an incident is bounded. */
const MOST_MACHINES = 32;

/**
 * The signals of one service: requests, errors by code, latency, calls to others, then everything else that it measures;
 * and the same for each version where there is more than one, and what it serves and holds on each machine where it runs on
 * several. Names are such that they say what is measured.
 */
export function serviceSignals(service: string, grid: Grid, series: readonly SeriesOnGrid[]): MetricSeries[] {
  if (!series.length) return [];
  const folding = { grid, known: knownSteps(grid, series) };
  const named = allSignals(folding, series);
  const versions = [...Map.groupBy(series, versionOf)].filter(([version]) => version !== '');
  if (versions.length > 1) {
    for (const [version, own] of versions) {
      const before = { grid, known: knownSteps(grid, own) };
      named.push(
        ...allSignals(before, own).map(([metric, values]): Named => [`${metric}@${version}`, values]),
      );
    }
  }
  const machines = [...Map.groupBy(series, machineOf)].filter(([machine]) => machine !== '');
  if (machines.length > 1 && machines.length <= MOST_MACHINES) {
    for (const [machine, own] of machines) {
      const held = own.filter((one) => !isCalled(one) && (isServed(one) || !isCounter(one)));
      named.push(
        ...allSignals({ grid, known: knownSteps(grid, own) }, held).map(
          ([metric, values]): Named => [onMachine(metric, machine), values],
        ),
      );
    }
  }
  return named
    .map(([metric, values]) => ({ service, metric, ...samples(grid, values) }))
    .filter(({ times }) => times.length > 0);
}

/** The name of a signal on one machine. */
const onMachine = (metric: string, machine: string): string => `${metric}{node=${JSON.stringify(machine)}}`;

function allSignals(folding: Folding, series: readonly SeriesOnGrid[]): Named[] {
  const served = preferred(series.filter(isServed));
  const called = series.filter((one) => isCalled(one) && calleeOf(one) !== undefined);
  const taken = new Set([...series.filter(isServed), ...called]);
  const rest = Map.groupBy(
    series.filter((one) => !taken.has(one)),
    ({ name, unit, kind, monotonic }) => `${name} ${unit} ${kind} ${String(monotonic)}`,
  );
  return [
    ...(served.length ? servedSignals(folding, served) : []),
    ...[...Map.groupBy(called, calleeOf)].flatMap(([callee, own]) =>
      calledSignals(folding, callee ?? '', preferred(own)),
    ),
    ...[...rest.values()].flatMap((own) => ownSignals(folding, own)),
  ];
}

/** Of instruments that count the same, histograms before counters, and then the one with the most in it. */
function preferred(series: readonly SeriesOnGrid[]): readonly SeriesOnGrid[] {
  const total = (own: readonly SeriesOnGrid[]): number =>
    own.reduce((sum, { amount }) => sum + amount.reduce((all, one) => all + one, 0), 0);
  const groups = [...Map.groupBy(series.filter(isCounter), ({ name, kind }) => `${kind} ${name}`).values()];
  const rank = (own: readonly SeriesOnGrid[]): number => (own[0]?.kind === 'histogram' ? 1 : 0);
  return groups.toSorted((a, b) => rank(b) - rank(a) || total(b) - total(a))[0] ?? [];
}

function servedSignals({ grid, known }: Folding, series: readonly SeriesOnGrid[]): Named[] {
  const all = rateOf(grid, known, series);
  const byCode = Map.groupBy(series.filter(isListed), (one) => codeOf(one) ?? '');
  const failed = rateOf(grid, known, series.filter(isFailure));
  return [
    ['requests_per_second', all],
    ...[...byCode]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, own]): Named => [`errors_${word(code)}_per_second`, rateOf(grid, known, own)]),
    ['error_ratio', ratio(grid, failed, all)],
    ...latency(grid, series, (statistic) => `latency_${statistic}_ms`),
  ];
}

function calledSignals({ grid, known }: Folding, callee: string, series: readonly SeriesOnGrid[]): Named[] {
  const all = rateOf(grid, known, series);
  const failed = rateOf(grid, known, series.filter(isFailure));
  return [
    ...latency(grid, series, (statistic) => `latency_ms_${statistic}_to_${callee}`),
    [`requests_per_second_to_${callee}`, all],
    [`errors_per_second_to_${callee}`, failed],
  ];
}

function latency(grid: Grid, series: readonly SeriesOnGrid[], name: (statistic: string) => string): Named[] {
  const [one] = series;
  const scale = one && (toMs(one) ?? 1);
  if (one?.kind !== 'histogram' || scale === undefined) return [];
  return [
    [name('mean'), meanOf(grid, series, scale)],
    [name('p50'), quantileOf(grid, series, 0.5, scale)],
    [name('p95'), quantileOf(grid, series, 0.95, scale)],
    [name('p99'), quantileOf(grid, series, 0.99, scale)],
  ];
}

/** A metric of the service's own, in parts by its attributes where they are few. */
function ownSignals({ grid, known }: Folding, series: readonly SeriesOnGrid[]): Named[] {
  const [one] = series;
  if (!one) return [];
  const name = signalName(one.name);
  const parts = Map.groupBy(series, partOf);
  const isSplit = parts.size > 1 && parts.size <= MOST_PARTS && name !== 'cpu_usage';
  const groups: [string, readonly SeriesOnGrid[]][] = isSplit
    ? [...parts].map(([part, own]) => [part ? `${name}_${part}` : name, own])
    : [[name, series]];
  return groups.flatMap(([metric, own]) => ownSignal({ grid, known }, metric, one, own));
}

function ownSignal(
  { grid, known }: Folding,
  metric: string,
  one: SeriesOnGrid,
  own: readonly SeriesOnGrid[],
): Named[] {
  if (one.kind === 'histogram') {
    const scale = toMs(one);
    const end = scale === undefined ? '' : '_ms';
    return [
      [`${metric}_per_second`, rateOf(grid, known, own)],
      [`${metric}_mean${end}`, meanOf(grid, own, scale ?? 1)],
      [`${metric}_p95${end}`, quantileOf(grid, own, 0.95, scale ?? 1)],
    ];
  }
  if (isCounter(one))
    return [[metric === 'cpu_usage' ? metric : `${metric}_per_second`, rateOf(grid, known, own)]];
  return [
    [
      metric,
      levelOf(grid, own, one.kind === 'sum' || plainName(one.name).includes('memory') ? 'sum' : 'mean'),
    ],
  ];
}

/** What tells a series from others of its metric, beside version and instance. */
function partOf({ attributes }: SeriesOnGrid): string {
  const values = Object.entries(attributes)
    .filter(
      ([key]) =>
        !VERSION_KEYS.includes(key) &&
        !namesMachine(key) &&
        !/(?:^|[._])(?:instance|pod|host|pid)(?:$|[._])/.test(key),
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => word(value));
  return values.filter(Boolean).join('_').slice(0, 80);
}

const word = (value: string): string => value.replaceAll(/[^A-Za-z0-9-]+/g, '_').replaceAll(/^_+|_+$/g, '');
