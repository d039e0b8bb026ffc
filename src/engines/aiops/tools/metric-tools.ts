import { z } from 'zod';
import type { MetricSeries, TimeWindow } from '#spec/data';
import type { Tool } from '#spec/ports';
import { thinSeries } from '../rca/grounding/thin-series.ts';
import { changeOf, foldOf } from '../rca/metrics/resource-findings.ts';
import { nameSeries } from '../rca/metrics/service-impact.ts';
import { showNumber } from '../rca/show-number.ts';
import { median } from '../rca/stats.ts';
import { askBackends } from './ask-backends.ts';
import { defineIncidentTool, type IncidentToolDeps } from './define-incident-tool.ts';
import { cell, said, table } from './show-table.ts';
import { spanInput, spanMs, windowBefore } from './time-window.ts';

const MOST_SERIES = 200;
const MOST_SIGNALS = 2_000;
const DATA_SAMPLES = 60;

export const metricTools = (deps: IncidentToolDeps): readonly Tool[] => [
  queryTool(deps),
  anomaliesTool(deps),
];

const service = z.string().min(1).max(200);

function queryTool({ desk, now }: IncidentToolDeps): Tool {
  return defineIncidentTool<{ query: string; window: string; limit: number }>({
    name: 'prom_query',
    description:
      'Runs a PromQL query over a window and shows each series with first, last, lowest and highest value.',
    input: z.strictObject({
      query: z.string().min(1).max(2_000),
      window: spanInput('15m', '1d'),
      limit: z.int().min(1).max(50).default(20),
    }),
    run: async ({ query, window, limit }, { signal }) => {
      const scope = { window: windowBefore(now(), spanMs(window)), limit: MOST_SERIES };
      const { items, notes } = await askBackends(
        await desk.sources(),
        'metrics',
        scope.window,
        (source, stop) => source.query(query, scope, stop),
        { now, signal },
      );
      const rows = items.slice(0, limit).map(seriesRow);
      const text = items.length
        ? table(['service', 'metric', 'samples', 'first', 'last', 'lowest', 'highest', 'median'], rows)
        : 'The query gives no series in this window.';
      const more = items.length > limit ? [`${items.length - limit} more series are not shown`] : [];
      return said([text, ...more, ...notes].join('\n'), `${items.length} series`, {
        series: items.slice(0, limit).map((series) => thinSeries(series, DATA_SAMPLES)),
      });
    },
  });
}

function seriesRow({ service: name, metric, values }: MetricSeries): string[] {
  const numbers = [
    values[0],
    values.at(-1),
    values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY),
    values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY),
    median(values),
  ];
  return [
    cell(name, 80),
    cell(metric, 80),
    String(values.length),
    ...numbers.map((value) => (value === undefined ? '-' : showNumber(value))),
  ];
}

/** What is usual is learned from a time before that is several times as long, and at least an hour. */
const BASELINE_TIMES = 4;
const LEAST_BASELINE_MS = 3_600_000;
const LEAST_SIGMAS = 3;

function anomaliesTool({ desk, now }: IncidentToolDeps): Tool {
  return defineIncidentTool<{ service?: string | undefined; window: string; limit: number }>({
    name: 'prom_top_anomalies',
    description:
      'Ranks the metrics of a service, or of all, by how far they left their usual range within the window.',
    input: z.strictObject({
      service: service.optional(),
      window: spanInput('15m', '6h'),
      limit: z.int().min(1).max(30).default(10),
    }),
    run: async ({ service: asked, window, limit }, { signal }) => {
      const ms = spanMs(window);
      const whole = windowBefore(now(), ms + Math.max(LEAST_BASELINE_MS, BASELINE_TIMES * ms));
      const scope = {
        window: whole,
        limit: MOST_SIGNALS,
        ...(asked === undefined ? {} : { services: [asked] }),
      };
      const { items, cut, notes } = await askBackends(
        await desk.sources(),
        'metrics',
        whole,
        (source, stop) => source.signals(scope, stop),
        { now, signal },
      );
      const found = anomalies(items, whole, now() - ms).slice(0, limit);
      const rows = found.map((one) => [
        cell(one.service, 80),
        cell(one.metric, 80),
        showNumber(one.before),
        showNumber(one.during),
        showNumber(one.sigmas),
        showNumber(one.novelty),
      ]);
      const text = found.length
        ? table(['service', 'metric', 'before', 'now', 'deviations', 'of its largest usual swing'], rows)
        : `None of ${items.length} series left its usual range.`;
      const left = cut ? ['not all series were looked at'] : [];
      return said([text, ...left, ...notes].join('\n'), `${found.length} of ${items.length} series`, {
        anomalies: found,
      });
    },
  });
}

interface Anomaly {
  readonly service: string;
  readonly metric: string;
  readonly before: number;
  readonly during: number;
  readonly sigmas: number;
  readonly novelty: number;
}

function anomalies(items: readonly MetricSeries[], whole: TimeWindow, sinceMs: number): Anomaly[] {
  const since = sinceMs / 1000;
  const windows = {
    baseline: [Date.parse(whole.start) / 1000, since - 0.001],
    incident: [since, Date.parse(whole.end) / 1000],
    alert: since,
  } as const;
  return nameSeries(items)
    .flatMap((named) => {
      const change = changeOf(named, windows);
      if (!change || Math.abs(change.sigmas) < LEAST_SIGMAS || change.novelty <= 1) return [];
      const { service: name, metric } = named.series;
      const { before, during, sigmas, novelty } = change;
      const size = Math.log(novelty) + Math.log(foldOf(change));
      return [{ size, anomaly: { service: name, metric, before, during, sigmas, novelty } }];
    })
    .toSorted(
      (one, other) =>
        other.size - one.size ||
        (`${one.anomaly.service}\n${one.anomaly.metric}` < `${other.anomaly.service}\n${other.anomaly.metric}`
          ? -1
          : 1),
    )
    .map(({ anomaly }) => anomaly);
}
