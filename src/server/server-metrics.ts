import { Counter, Gauge, Histogram, Registry } from 'prom-client';

type GaugeReading = number | ReadonlyMap<string, number>;

/** A number of the process that somebody else knows, such as the count of open incidents. */
export interface ServerGauge {
  /** As Prometheus names things, with `hermes_` before it. */
  readonly name: string;
  readonly help: string;
  /** The name of the label that tells several numbers apart; their values are the keys of what is read. */
  readonly label?: string;
  read(): GaugeReading | Promise<GaugeReading>;
}

interface ServedRequest {
  readonly method: string;
  /** The pattern of the route, never the path: paths are without number. */
  readonly route: string;
  readonly status: number;
  /** Absent for a stream, which takes as long as its peer listens. */
  readonly ms?: number;
}

export interface ServerMetrics {
  served(request: ServedRequest): void;
  refusedToken(): void;
  /** The text that Prometheus reads. */
  text(): Promise<{ readonly body: string; readonly type: string }>;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A registry of its own: two servers in one process do not mix. */
export function openServerMetrics(
  open: { readonly requests: () => number; readonly streams: () => number },
  gauges: readonly ServerGauge[],
): ServerMetrics {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'hermes_http_requests_total',
    help: 'Requests that were answered.',
    labelNames,
    registers,
  });
  const seconds = new Histogram({
    name: 'hermes_http_request_duration_seconds',
    help: 'From the head of a request to the end of its answer, without streams.',
    labelNames: ['method', 'route'] as const,
    buckets: BUCKETS,
    registers,
  });
  const refused = new Counter({
    name: 'hermes_http_refused_tokens_total',
    help: 'Requests without a valid token.',
    registers,
  });
  const usual: readonly ServerGauge[] = [
    { name: 'hermes_http_requests_open', help: 'Requests being served.', read: open.requests },
    { name: 'hermes_http_streams_open', help: 'Streams being sent.', read: open.streams },
    {
      name: 'process_resident_memory_bytes',
      help: 'Resident memory.',
      read: () => process.memoryUsage.rss(),
    },
    {
      name: 'process_cpu_seconds_total',
      help: 'Time of the processor, user and system.',
      read: () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    },
    {
      name: 'process_start_time_seconds',
      help: 'When the process started, unix time.',
      read: () => Date.now() / 1000 - process.uptime(),
    },
  ];
  for (const gauge of [...usual, ...gauges]) addGauge(registry, gauge);
  return {
    served({ method, route, status, ms }) {
      const known = METHODS.has(method) ? method : 'other';
      requests.inc({ method: known, route, status: String(status) });
      if (ms !== undefined) seconds.observe({ method: known, route }, ms / 1000);
    },
    refusedToken: () => refused.inc(),
    text: async () => ({ body: await registry.metrics(), type: registry.contentType }),
  };
}

function addGauge(registry: Registry, { name, help, label, read }: ServerGauge): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    labelNames: label === undefined ? [] : [label],
    async collect() {
      const found = await read();
      if (typeof found === 'number') return this.set(found);
      this.reset();
      for (const [value, count] of found) this.set({ [label ?? 'kind']: value }, count);
    },
  });
  registry.registerMetric(gauge);
}
