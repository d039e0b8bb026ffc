import { INSTRUMENTS, type Instrument, type Meter } from './instruments.ts';
import { nanoseconds, type OtlpAttribute, otlpAttributes } from './otlp-values.ts';

/** Of OTLP's AggregationTemporality: numbers since the start of the process. */
const CUMULATIVE = 2;

type Labels = Readonly<Record<string, string | number>>;
interface Sample {
  readonly value: number;
  readonly labels: Labels;
  readonly metricName?: string;
}
interface Times {
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

/** Everything that the meter holds, as the `metrics` list of OTLP. */
export async function otlpMetrics(meter: Meter, startMs: number, nowMs: number): Promise<object[]> {
  const byName = new Map(Object.values(INSTRUMENTS).map((instrument) => [instrument.prometheus, instrument]));
  const times = { startTimeUnixNano: nanoseconds(startMs), timeUnixNano: nanoseconds(nowMs) };
  const metrics = await meter.registry.getMetricsAsJSON();
  return metrics.flatMap(({ name, values }) => {
    const instrument = byName.get(name);
    const samples = values as readonly Sample[];
    return instrument && samples.length ? [otlpMetric(instrument, samples, times)] : [];
  });
}

function otlpMetric(instrument: Instrument, samples: readonly Sample[], times: Times): object {
  const { otel: name, unit, help: description, kind } = instrument;
  const head = { name, unit, description };
  if (kind === 'histogram')
    return {
      ...head,
      histogram: {
        aggregationTemporality: CUMULATIVE,
        dataPoints: histogramPoints(instrument, samples, times),
      },
    };
  const dataPoints = samples.map(({ value, labels }) => ({
    ...times,
    attributes: attributesOf(instrument, labels),
    asDouble: value,
  }));
  if (kind === 'gauge') return { ...head, gauge: { dataPoints } };
  return { ...head, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } };
}

/** Prometheus counts all below a bound, OTLP those between two. */
function histogramPoints(instrument: Instrument, samples: readonly Sample[], times: Times): object[] {
  const points = new Map<string, { labels: Labels; below: [number, number][]; sum: number; count: number }>();
  for (const { value, labels, metricName } of samples) {
    const { le, ...own } = labels;
    const key = JSON.stringify(own);
    const point = points.get(key) ?? { labels: own, below: [], sum: 0, count: 0 };
    points.set(key, point);
    if (metricName?.endsWith('_sum')) point.sum = value;
    else if (metricName?.endsWith('_count')) point.count = value;
    else if (typeof le === 'number') point.below.push([le, value]);
  }
  return [...points.values()].map(({ labels, below, sum, count }) => {
    const sorted = below.sort(([one], [other]) => one - other);
    const counts = [...sorted.map(([, value]) => value), count];
    return {
      ...times,
      attributes: attributesOf(instrument, labels),
      count: String(count),
      sum,
      bucketCounts: counts.map((value, index) => String(value - (counts[index - 1] ?? 0))),
      explicitBounds: sorted.map(([bound]) => bound),
    };
  });
}

const attributesOf = ({ labels: names }: Instrument, labels: Labels): OtlpAttribute[] =>
  otlpAttributes(
    Object.fromEntries(
      Object.entries(labels).flatMap(([label, value]) => {
        const name = names[label];
        if (name === undefined || name === 'service.name' || value === '') return [];
        return [[name, label === 'code' ? Number(value) : value]];
      }),
    ),
  );
