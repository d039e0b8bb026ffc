import type { IncidentBundle, MetricSeries, Telemetry } from '#spec/data';

export const BASELINE_START = Date.parse('2026-03-01T10:00:00Z') / 1000;
export const INCIDENT_START = Date.parse('2026-03-01T12:00:00Z') / 1000;
const INCIDENT_END = Date.parse('2026-03-01T12:15:00Z') / 1000;
const STEP = 60;

export interface SampleOptions {
  readonly service?: string | undefined;
  readonly metric?: string | undefined;
  readonly title?: string;
  readonly annotations?: Record<string, string>;
}

/** Who calls whom in the sample: web → orders → payments → ledger-db, web → catalogue. */
const EDGES = [
  { from: 'web', to: 'orders' },
  { from: 'web', to: 'catalogue' },
  { from: 'orders', to: 'payments' },
  { from: 'payments', to: 'ledger-db' },
];

const USUAL: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  web: { latency_ms_avg: 120, requests: 600, error_rate: 0.002, cpu: 30, memory: 400 },
  orders: { latency_ms_avg: 70, requests: 300, error_rate: 0.002, cpu: 25, memory: 300 },
  payments: { latency_ms_avg: 40, requests: 300, error_rate: 0.001, cpu: 20, memory: 350 },
  'ledger-db': { latency_ms_avg: 8, requests: 900, error_rate: 0, cpu: 40, memory: 900 },
  catalogue: { latency_ms_avg: 20, requests: 500, error_rate: 0.001, cpu: 15, memory: 250 },
};

const iso = (time: number): string => new Date(time * 1000).toISOString();

/** A little up and down that is the same every time. */
const wobble = (seed: number, time: number): number => {
  const phase = Math.sin(time * 12.9898 + seed * 78.233) * 43_758.5453;
  return 1 + 0.1 * (phase - Math.floor(phase) - 0.5);
};

/** Two quiet hours and a quarter of an hour that an alert is about, one sample a minute. */
export function sampleSystem({
  service = 'web',
  metric = 'latency_ms_avg',
  title = 'web is slow',
  annotations = {},
}: SampleOptions = {}): Telemetry {
  const bundle: IncidentBundle = {
    id: 'sample',
    title,
    severity: 'critical',
    startsAt: iso(INCIDENT_START + 120),
    service,
    metric,
    labels: {},
    annotations,
    baseline: { start: iso(BASELINE_START), end: iso(INCIDENT_START - 1) },
    incident: { start: iso(INCIDENT_START), end: iso(INCIDENT_END) },
  };
  const times: number[] = [];
  for (let time = BASELINE_START; time <= INCIDENT_END; time += STEP) times.push(time);
  const metrics = Object.entries(USUAL).flatMap(([name, levels], place) =>
    Object.entries(levels).map(
      ([what, level], kind): MetricSeries => ({
        service: name,
        metric: what,
        times: [...times],
        values: times.map((time) => level * wobble(place * 10 + kind, time)),
      }),
    ),
  );
  return { bundle, metrics, logs: [], spans: [], topology: { edges: EDGES } };
}

/** The same telemetry with one series changed, sample by sample; a series that is not there begins at 1. */
export function withSeries(
  telemetry: Telemetry,
  service: string,
  metric: string,
  change: (usual: number, during: boolean, time: number) => number,
): Telemetry {
  const isIt = (series: MetricSeries): boolean => series.service === service && series.metric === metric;
  const times = telemetry.metrics[0]?.times ?? [];
  const known = telemetry.metrics.find(isIt) ?? { service, metric, times, values: times.map(() => 1) };
  const changed = {
    ...known,
    values: known.values.map((value, index) => {
      const time = known.times[index] ?? 0;
      return change(value, time >= INCIDENT_START, time);
    }),
  };
  return { ...telemetry, metrics: [...telemetry.metrics.filter((series) => !isIt(series)), changed] };
}
