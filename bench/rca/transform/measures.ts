import type { MetricSeries, Telemetry } from '#spec/data';
import { splitMetric } from './metric-name.ts';
import { replaceName } from './replace-names.ts';
import { ofTelemetry, type Transform } from './transform.ts';

/** What a series is called and holds in another form. */
export interface Measure {
  readonly base: string;
  readonly value: (value: number) => number;
}

/** Rewrites the series that `measure` has another form for, and the alert with them. */
export function remeasured(
  telemetry: Telemetry,
  measure: (base: string, series: MetricSeries) => Measure | undefined,
): Telemetry | undefined {
  const renamed = new Map<string, string>();
  const metrics = telemetry.metrics.map((series) => {
    const { base, tail } = splitMetric(series.metric);
    const form = measure(base, series);
    if (!form) return series;
    const metric = `${form.base}${tail}`;
    renamed.set(series.metric, metric);
    return { ...series, metric, values: series.values.map(form.value) };
  });
  if (!renamed.size) return undefined;
  const { bundle } = telemetry;
  const asked = bundle.metric === undefined ? undefined : renamed.get(bundle.metric);
  if (bundle.metric === undefined || asked === undefined) return { ...telemetry, metrics };
  const title = replaceName(bundle.title, bundle.metric, asked);
  return { ...telemetry, metrics, bundle: { ...bundle, metric: asked, title } };
}

const measured = (
  measure: (base: string, series: MetricSeries, stepS: number) => Measure | undefined,
): Transform =>
  ofTelemetry('answer', (telemetry) => {
    const usual = stepOf(telemetry.metrics.flatMap(gaps)) ?? 1;
    return remeasured(telemetry, (base, series) => measure(base, series, stepOf(gaps(series)) ?? usual));
  });

const gaps = ({ times }: MetricSeries): number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? time));

/** The usual distance of samples. */
const stepOf = (distances: readonly number[]): number | undefined =>
  distances.toSorted((one, other) => one - other)[Math.floor(distances.length / 2)];

/** Milliseconds of the units of time that names of metrics have. */
const UNITS = { ms: 1, seconds: 1000, minutes: 60_000 } as const;
type Unit = keyof typeof UNITS;
const isUnit = (word: string): word is Unit => word in UNITS;

const timeIn = (unit: Unit): Transform =>
  measured((base) => {
    const words = base.split('_');
    const at = words.findIndex(isUnit);
    const given = words[at];
    if (given === undefined || !isUnit(given) || given === unit) return undefined;
    const factor = UNITS[given] / UNITS[unit];
    return { base: words.with(at, unit).join('_'), value: (value) => value * factor };
  });

/** Names that say no unit may have any; those that say one get another. */
const UNITLESS = /^(?:node_)?(?:cpu|memory)$/;
const FACTORS = [0.001, 60, 1024, 1e6] as const;
const OTHER_UNITS: Readonly<Record<string, readonly [string, number]>> = {
  mib: ['bytes', 2 ** 20],
  bytes: ['kib', 2 ** -10],
  millicores: ['cores', 0.001],
};

function otherUnit(base: string, factor: number): Measure | undefined {
  if (UNITLESS.test(base)) return { base, value: (value) => value * factor };
  const words = base.split('_');
  const at = words.findIndex((word) => word in OTHER_UNITS);
  const [unit, times] = OTHER_UNITS[words[at] ?? ''] ?? [];
  if (unit === undefined || times === undefined) return undefined;
  return { base: words.with(at, unit).join('_'), value: (value) => value * times };
}

const restOf = (base: string, name: string): string | undefined =>
  base === name || base.endsWith(`_${name}`) ? base.slice(0, -name.length) : undefined;

export const MEASURE_TRANSFORMS = {
  'count-to-rate': measured((base, _, stepS) => {
    const prefix = restOf(base, 'requests');
    return prefix === undefined
      ? undefined
      : { base: `${prefix}requests_per_s`, value: (value) => value / stepS };
  }),
  'rate-to-count': measured((base, _, stepS) => {
    const prefix = restOf(base, 'requests_per_s');
    return prefix === undefined ? undefined : { base: `${prefix}requests`, value: (value) => value * stepS };
  }),
  'availability-to-errors': measured((base) => {
    const prefix = restOf(base, 'availability_pct');
    return prefix === undefined
      ? undefined
      : { base: `${prefix}error_rate`, value: (value) => (100 - value) / 100 };
  }),
  'errors-to-availability': measured((base) => {
    const prefix = restOf(base, 'error_rate');
    return prefix === undefined
      ? undefined
      : { base: `${prefix}availability_pct`, value: (value) => 100 - value * 100 };
  }),
  'time-in-ms': timeIn('ms'),
  'time-in-seconds': timeIn('seconds'),
  'time-in-minutes': timeIn('minutes'),
  'other-units': ofTelemetry('answer', (telemetry, random) => {
    const factors = new Map<string, number>();
    return remeasured(telemetry, (base) => {
      const factor = factors.get(base) ?? FACTORS[Math.floor(random() * FACTORS.length)] ?? 1;
      factors.set(base, factor);
      return otherUnit(base, factor);
    });
  }),
} satisfies Readonly<Record<string, Transform>>;
