import type { MetricSeries } from '#spec/data';

const SIGNALS = ['errors', 'codes', 'latency', 'traffic', 'saturation'] as const;
type Signal = (typeof SIGNALS)[number];

/** Which chart a metric belongs to; the first that fits. Series of single versions stand apart by their `@`. */
const FITS: Readonly<Record<Signal, RegExp>> = {
  errors: /^error_ratio$/,
  codes: /^errors_\d+_per_second$/,
  latency: /^latency_p95_ms$/,
  traffic: /^requests_per_second$/,
  saturation: /(?:_usage|_utilization|_saturation)$/,
};

const UNITS: Readonly<Record<Signal, string>> = {
  errors: 'ratio',
  codes: '/s',
  latency: 'ms',
  traffic: '/s',
  saturation: 'ratio',
};

const MOST_LINES = 12;

export interface SignalChart {
  readonly signal: Signal;
  readonly unit: string;
  /** The names of what it shows. */
  readonly metrics: readonly string[];
  readonly series: readonly { label: string; times: readonly number[]; values: readonly number[] }[];
}

/** Series as charts, those of one service alone where one is chosen. Charts without series are left out. */
export function groupSeries(series: readonly MetricSeries[], service: string): readonly SignalChart[] {
  const wanted = series.filter((each) => !service || each.service === service);
  return SIGNALS.map((signal) => {
    const shown = wanted
      .filter(({ metric }) => FITS[signal].test(metric))
      .toSorted((one, other) => labelOf(one, signal).localeCompare(labelOf(other, signal)))
      .slice(0, MOST_LINES);
    return {
      signal,
      unit: UNITS[signal],
      metrics: [...new Set(shown.map(({ metric }) => metric))],
      series: shown.map((each) => ({ label: labelOf(each, signal), times: each.times, values: each.values })),
    };
  }).filter((chart) => chart.series.length > 0);
}

function labelOf({ service, metric }: MetricSeries, signal: Signal): string {
  if (signal === 'codes') return `${service} ${/\d+/.exec(metric)?.[0] ?? ''}`;
  return signal === 'saturation' ? `${service} ${metric}` : service;
}
