import { SAMPLE_FAULT_AT, SAMPLE_WINDOW } from './sample-telemetry.ts';

type Labels = Readonly<Record<string, string>>;

/** One time series by its labels, as a function of the time in seconds. */
export interface MetricSample {
  readonly family: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: Labels;
  /** Counters grow from zero at the beginning; a histogram gives requests and their duration in the unit of its name. */
  readonly value: (time: number) => number;
  /** Of a histogram: the duration of all requests at a time. */
  readonly duration?: (time: number) => number;
  /** Absent before. */
  readonly since?: number;
}

const STEP = 15;
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const FIRST = Date.parse(SAMPLE_WINDOW.start) / 1_000 - 600;
const LAST = Date.parse(SAMPLE_WINDOW.end) / 1_000 + 600;

const isBad = (time: number): boolean => time >= SAMPLE_FAULT_AT;
const steady = (perSecond: number) => () => perSecond;

const served = (
  service: string,
  version: string,
  code: string,
  rate: (time: number) => number,
  since?: number,
) => ({
  family: 'http_server_request_duration_seconds',
  type: 'histogram' as const,
  labels: { service, version, code, job: 'shop', instance: `${service}:8080` },
  value: rate,
  duration: (time: number) => (service === 'payment-service' && isBad(time) ? 0.8 : 0.04),
  ...(since === undefined ? {} : { since }),
});

/**
 * The sample as metrics: payment-service has ten requests a second; since the fault its new version answers 503 to three
 * of them and everything takes twenty times as long. order-service is well.
 */
export const SAMPLE_METRICS: readonly MetricSample[] = [
  served('payment-service', 'v1', '200', (time) => (isBad(time) ? 5 : 10)),
  served('payment-service', 'v2', '200', steady(2), SAMPLE_FAULT_AT),
  served('payment-service', 'v2', '503', steady(3), SAMPLE_FAULT_AT),
  served('order-service', 'v1', '200', steady(10)),
  {
    family: 'http_client_request_duration_seconds',
    type: 'histogram',
    labels: { service: 'payment-service', server_address: 'order-service', code: '200' },
    value: steady(10),
    duration: () => 0.05,
  },
];

/** Counters and histograms add up what happened in each step. */
export function openMetrics(samples: readonly MetricSample[], from = FIRST, to = LAST): string {
  const times = Array.from({ length: Math.floor((to - from) / STEP) + 1 }, (_, at) => from + at * STEP);
  const families = Map.groupBy(samples, ({ family }) => family);
  const text = [...families].flatMap(([family, all]) => [
    `# TYPE ${family} ${all[0]?.type ?? 'gauge'}`,
    ...all.flatMap((sample) => linesOf(sample, times)),
  ]);
  return `${text.join('\n')}\n# EOF\n`;
}

function linesOf(
  { family, type, labels, value, duration, since }: MetricSample,
  times: readonly number[],
): string[] {
  const own = times.filter((time) => since === undefined || time >= since);
  if (type === 'gauge') return own.map((time) => `${family}${shown(labels)} ${value(time)} ${time}`);
  let [count, sum] = [0, 0];
  const buckets = BUCKETS.map(() => 0);
  const rows = own.map((time) => {
    const more = value(time) * STEP;
    const took = duration?.(time) ?? 0;
    count += more;
    sum += more * took;
    for (const [at, edge] of BUCKETS.entries()) if (took <= edge) buckets[at] = (buckets[at] ?? 0) + more;
    return { time, count, sum, buckets: [...buckets] };
  });
  if (type === 'counter')
    return rows.map((row) => `${family}_total${shown(labels)} ${row.count} ${row.time}`);
  return [
    ...BUCKETS.flatMap((edge, at) =>
      rows.map(
        (row) =>
          `${family}_bucket${shown({ ...labels, le: String(edge) })} ${row.buckets[at] ?? 0} ${row.time}`,
      ),
    ),
    ...rows.map((row) => `${family}_bucket${shown({ ...labels, le: '+Inf' })} ${row.count} ${row.time}`),
    ...rows.map((row) => `${family}_count${shown(labels)} ${row.count} ${row.time}`),
    ...rows.map((row) => `${family}_sum${shown(labels)} ${row.sum} ${row.time}`),
  ];
}

const shown = (labels: Labels): string =>
  `{${Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',')}}`;
