import { setImmediate } from 'node:timers/promises';
import type { MetricSeries } from '#spec/data';
import type { Collected, MetricsSource, TelemetryScope } from '#spec/ports';
import { fail } from '#kit/app-error';
import { namesMachine } from '#kit/machine-name';
import { knownSteps, levelOf, meanOf, quantileOf, rateOf, samples, type Steps } from './fold.ts';
import { type Grid, gridOf } from './grid.ts';
import { toMs, versionOf } from './instrument-names.ts';
import { labelOf, type MetricQuery, parseMetricQuery, passes } from './metric-query.ts';
import type { Database } from './open-file.ts';
import { isCounter, type SeriesOnGrid, seriesReader } from './read-series.ts';
import { serviceSignals } from './service-signals.ts';

const PAUSE_AFTER_MS = 15;

/** Metrics over the stored readings. */
export function metricsSource(db: Database): MetricsSource {
  const reader = seriesReader(db);

  const seriesOf = async (service: string, grid: Grid, signal: AbortSignal): Promise<SeriesOnGrid[]> => {
    const found: SeriesOnGrid[] = [];
    let paused = performance.now();
    for (const series of reader.read(service, grid)) {
      found.push(series);
      if (performance.now() - paused < PAUSE_AFTER_MS) continue;
      await setImmediate();
      signal.throwIfAborted();
      paused = performance.now();
    }
    return found;
  };
  const servicesOf = ({ services }: TelemetryScope): readonly string[] => services ?? reader.services();

  const signals = async (scope: TelemetryScope, signal: AbortSignal): Promise<MetricSeries[]> => {
    const grid = gridOf(scope.window);
    const found: MetricSeries[][] = [];
    for (const service of servicesOf(scope)) {
      signal.throwIfAborted();
      found.push(serviceSignals(service, grid, await seriesOf(service, grid, signal)));
    }
    return inTurn(found);
  };

  const raw = async (
    query: MetricQuery & { readonly name: string },
    scope: TelemetryScope,
    signal: AbortSignal,
  ): Promise<MetricSeries[] | undefined> => {
    const grid = gridOf(scope.window);
    const found: MetricSeries[] = [];
    let isKnown = false;
    for (const service of servicesOf(scope)) {
      signal.throwIfAborted();
      const all = await seriesOf(service, grid, signal);
      const own = all.filter(({ name }) => name === query.name);
      isKnown ||= own.length > 0;
      const wanted = own.filter((series) => passes(query.tests, (label) => labelOf(series, label)));
      const known = all.length ? knownSteps(grid, all) : new Uint8Array(grid.count);
      for (const [labels, group] of Map.groupBy(wanted, shownLabels)) {
        const values = folded(query, grid, known, group);
        found.push({ service, metric: `${query.name}${labels}`, ...samples(grid, values) });
      }
    }
    return isKnown ? found.filter(({ times }) => times.length) : undefined;
  };

  return {
    name: 'embedded',
    async signals(scope, signal) {
      const began = performance.now();
      const found = await signals(scope, signal);
      const items = found.slice(0, scope.limit);
      const ms = Math.round(performance.now() - began);
      const asked = items.map(({ service, metric }) => ({
        query: queryOf(service, metric),
        found: 1,
        gives: [metric],
        ms,
      }));
      return { items, asked, cut: found.length > items.length };
    },
    async query(text, scope, signal): Promise<Collected<MetricSeries>> {
      const began = performance.now();
      const query = parseMetricQuery(text);
      const { name } = query;
      const measured = name === undefined ? undefined : await raw({ ...query, name }, scope, signal);
      if (!measured && query.fold) throw unknown(name ?? '');
      const found = measured ?? (await bySignal(query, () => signals(scope, signal)));
      const items = found.slice(0, scope.limit);
      const ms = Math.round(performance.now() - began);
      const gives = [...new Set(items.map(({ metric }) => metric))];
      return {
        items,
        asked: [{ query: text.trim(), found: items.length, gives, ms }],
        cut: found.length > items.length,
      };
    },
  };
}

/** What to ask again: labels of a signal stand beside its service. */
function queryOf(service: string, metric: string): string {
  const { name, labels } = splitLabels(metric);
  return `${name}{service=${JSON.stringify(service)}${labels && `,${labels}`}}`;
}

function splitLabels(metric: string): { name: string; labels: string } {
  const [, name = metric, labels = ''] = /^([^{]*)\{(.*)\}$/.exec(metric) ?? [];
  return { name, labels };
}

const unknown = (name: string) =>
  fail(
    'input.invalid',
    `No service has sent the metric ${name} in this time.`,
    'Ask for {service="…"} to see what there is.',
  );

const SIGNAL_LABELS = ['service', 'metric', 'version', 'node'];

/** Signals by their own names: `latency_p95_ms{service="x"}`, or all of a service: `{service="x"}`. */
async function bySignal(
  { name, tests }: MetricQuery,
  all: () => Promise<MetricSeries[]>,
): Promise<MetricSeries[]> {
  const other = tests.find(({ label }) => !SIGNAL_LABELS.includes(label));
  if (other)
    throw fail(
      'input.invalid',
      `A signal has the labels service, version, node and metric, not ${other.label}.`,
    );
  const found = await all();
  const partsOf = (metric: string): [plain: string, version: string, node: string] => {
    const { name: whole, labels } = splitLabels(metric);
    const [plain = whole, version = ''] = whole.split('@');
    return [plain, version, /^node="(.*)"$/.exec(labels)?.[1] ?? ''];
  };
  if (name !== undefined && !found.some(({ metric }) => metric === name || partsOf(metric)[0] === name))
    throw unknown(name);
  const wants = (label: string): boolean => tests.some((test) => test.label === label);
  return found.filter(({ service, metric }) => {
    const [plain, version, node] = partsOf(metric);
    const isAsked = (version === '' || wants('version')) && (node === '' || wants('node'));
    const isNamed = name === undefined || metric === name || (isAsked && plain === name);
    const labels: Readonly<Record<string, string>> = { service, metric, version, node };
    return isNamed && passes(tests, (label) => labels[label] ?? '');
  });
}

function folded({ fold }: MetricQuery, grid: Grid, known: Uint8Array, group: readonly SeriesOnGrid[]): Steps {
  const [one] = group;
  if (!one) return new Float64Array();
  const scale = toMs(one) ?? 1;
  if (fold === 'rate' || (fold === undefined && isCounter(one))) {
    if (isCounter(one)) return rateOf(grid, known, group);
    throw fail('input.invalid', `rate() is of counters, and ${one.name} is none.`);
  }
  if (fold === undefined) return levelOf(grid, group, one.kind === 'sum' ? 'sum' : 'mean');
  if (one.kind !== 'histogram')
    throw fail('input.invalid', `${fold}() is of histograms, and ${one.name} is none.`);
  if (fold === 'mean') return meanOf(grid, group, scale);
  return quantileOf(grid, group, Number(fold.slice(1)) / 100, scale);
}

/** What tells series of one service and metric apart; instances count together, and so do machines. */
function shownLabels(series: SeriesOnGrid): string {
  const labels = Object.entries(series.attributes)
    .filter(([key]) => !namesMachine(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const version = versionOf(series);
  if (version && !labels.some(([key]) => key === 'service.version')) labels.push(['version', version]);
  return labels.length
    ? `{${labels.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}}`
    : '';
}

/** The first of each, then the second of each: a limit takes from all services alike, the telling ones first. */
function inTurn(lists: readonly (readonly MetricSeries[])[]): MetricSeries[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
