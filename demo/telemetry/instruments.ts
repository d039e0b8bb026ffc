import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** One metric under its two names: what OpenTelemetry calls it and what Prometheus calls it. */
export interface Instrument {
  readonly otel: string;
  readonly prometheus: string;
  readonly unit: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Prometheus label → OpenTelemetry attribute. An empty label is an absent attribute. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Which replica, and on which machine. */
const PLACED = { pod: 'k8s.pod.name', node: 'k8s.node.name' };
const SERVED = {
  service: 'service.name',
  version: 'service.version',
  method: 'http.request.method',
  route: 'http.route',
  code: 'http.response.status_code',
  error: 'error.type',
  ...PLACED,
};
const POOLED = {
  service: 'service.name',
  version: 'service.version',
  pool: 'db.client.connection.pool.name',
};
const OWNED = { service: 'service.name' };

const instrument = (
  kind: Instrument['kind'],
  otel: string,
  prometheus: string,
  unit: string,
  labels: Instrument['labels'],
  help: string,
): Instrument => ({ kind, otel, prometheus, unit, labels, help });

export const INSTRUMENTS = {
  served: instrument(
    'histogram',
    'http.server.request.duration',
    'http_server_request_duration_seconds',
    's',
    SERVED,
    'Duration of requests that were served',
  ),
  active: instrument(
    'gauge',
    'http.server.active_requests',
    'http_server_active_requests',
    '{request}',
    OWNED,
    'Requests being served',
  ),
  called: instrument(
    'histogram',
    'http.client.request.duration',
    'http_client_request_duration_seconds',
    's',
    {
      service: 'service.name',
      version: 'service.version',
      peer: 'peer.service',
      address: 'server.address',
      code: 'http.response.status_code',
      error: 'error.type',
    },
    'Duration of calls to other services',
  ),
  limited: instrument(
    'counter',
    'http.server.rate_limit.rejections',
    'http_server_rate_limit_rejections_total',
    '{request}',
    OWNED,
    'Requests refused by the rate limit',
  ),
  poolUsed: instrument(
    'gauge',
    'db.client.connection.count',
    'db_client_connection_count',
    '{connection}',
    { ...POOLED, state: 'db.client.connection.state' },
    'Connections in use',
  ),
  poolMost: instrument(
    'gauge',
    'db.client.connection.max',
    'db_client_connection_max',
    '{connection}',
    POOLED,
    'Connections that the pool may open',
  ),
  poolPending: instrument(
    'gauge',
    'db.client.connection.pending_requests',
    'db_client_connection_pending_requests',
    '{request}',
    POOLED,
    'Requests that wait for a connection',
  ),
  poolTimeouts: instrument(
    'counter',
    'db.client.connection.timeouts',
    'db_client_connection_timeouts_total',
    '{timeout}',
    POOLED,
    'Requests that waited for a connection in vain',
  ),
  poolWait: instrument(
    'histogram',
    'db.client.connection.wait_time',
    'db_client_connection_wait_time_seconds',
    's',
    POOLED,
    'Time until a connection was there',
  ),
  queried: instrument(
    'histogram',
    'db.client.operation.duration',
    'db_client_operation_duration_seconds',
    's',
    { service: 'service.name', operation: 'db.operation.name', target: 'db.namespace', error: 'error.type' },
    'Duration of database statements',
  ),
  cacheHits: instrument(
    'counter',
    'cache.hits',
    'cache_hits_total',
    '{hit}',
    OWNED,
    'Reads that the cache answered',
  ),
  cacheMisses: instrument(
    'counter',
    'cache.misses',
    'cache_misses_total',
    '{miss}',
    OWNED,
    'Reads that went to the database',
  ),
  cacheWait: instrument(
    'histogram',
    'cache.lock.wait_time',
    'cache_lock_wait_time_seconds',
    's',
    OWNED,
    'Time until the lock of a key was there',
  ),
  memory: instrument(
    'gauge',
    'process.memory.usage',
    'process_memory_usage_bytes',
    'By',
    OWNED,
    'Resident memory',
  ),
  memoryLimit: instrument(
    'gauge',
    'process.memory.limit',
    'process_memory_limit_bytes',
    'By',
    OWNED,
    'Memory that the process may use',
  ),
  cpu: instrument(
    'gauge',
    'process.cpu.utilization',
    'process_cpu_utilization',
    '1',
    OWNED,
    'Share of one core',
  ),
  pressure: instrument(
    'gauge',
    'container.cpu.pressure',
    'container_cpu_pressure',
    '1',
    { ...OWNED, ...PLACED },
    'Share of the time in which requests of the replica stood still for want of a processor',
  ),
  restarts: instrument(
    'gauge',
    'process.restarts',
    'process_restarts',
    '{restart}',
    OWNED,
    'Restarts after crashes since the last deployment',
  ),
} as const;
type InstrumentName = keyof typeof INSTRUMENTS;
type Labels = Readonly<Record<string, string | number>>;

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2.5, 5];

export interface Meter {
  readonly registry: Registry;
  /** Seconds for histograms, an amount for counters, the level for gauges. */
  measure(name: InstrumentName, value: number, labels?: Labels): void;
  /** Forgets a level that no longer exists, such as of a closed pool. */
  forget(name: InstrumentName, labels: Labels): void;
}

/** Holds the numbers of one process; `service` stands on each of them. */
export function createMeter(service: string): Meter {
  const registry = new Registry();
  const made = new Map<string, Counter | Gauge | Histogram>();
  for (const [name, { kind, prometheus, help, labels }] of Object.entries(INSTRUMENTS)) {
    const options = { name: prometheus, help, labelNames: Object.keys(labels), registers: [registry] };
    if (kind === 'counter') made.set(name, new Counter(options));
    else if (kind === 'gauge') made.set(name, new Gauge(options));
    else made.set(name, new Histogram({ ...options, buckets: BUCKETS }));
  }
  return {
    registry,
    measure: (name, value, labels = {}) => {
      const metric = made.get(name);
      const all = { service, ...labels };
      if (metric instanceof Counter) metric.inc(all, value);
      else if (metric instanceof Gauge) metric.set(all, value);
      else metric?.observe(all, value);
    },
    forget: (name, labels) => made.get(name)?.remove({ service, ...labels }),
  };
}
