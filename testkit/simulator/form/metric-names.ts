import { openRandom } from '../random.ts';
import type { Form, LatencyStatistic, Naming } from './form.ts';

/** A name in each scheme. `#` stands for the unit, `%` for the statistic. */
type Names = Readonly<Record<Exclude<Naming, 'opaque'>, string>>;
const named = (plain: string, prometheus: string, opentelemetry: string, cloudwatch: string): Names => ({
  plain,
  prometheus,
  opentelemetry,
  cloudwatch,
});

const NAMES = {
  requests_count: named('requests', 'http_requests', 'http.server.request.count', 'RequestCount'),
  requests_rate: named(
    'requests_per_s',
    'http_requests_per_second',
    'http.server.request.rate',
    'RequestsPerSecond',
  ),
  requests_counter: named(
    'requests_total',
    'http_requests_total',
    'http.server.requests',
    'RequestCountTotal',
  ),
  failures_ratio: named('error_rate', 'http_request_error_ratio', 'http.server.error.ratio', 'ErrorRate'),
  failures_percent: named(
    'error_rate_pct',
    'http_request_errors_percent',
    'http.server.error.percent',
    '5XXErrorRate',
  ),
  availability_ratio: named(
    'availability',
    'slo_success_ratio',
    'http.server.availability',
    'AvailabilityRatio',
  ),
  availability_percent: named(
    'availability_pct',
    'success_rate_percent',
    'http.server.success.percent',
    'Availability',
  ),
  failures_count: named(
    'errors',
    'http_requests_5xx',
    'http.server.error.count',
    'HTTPCode_Target_5XX_Count',
  ),
  failures_counter: named('errors_total', 'http_request_errors_total', 'http.server.errors', 'ErrorsTotal'),
  latency: named(
    'latency_#_%',
    'http_request_duration_#_%',
    'http.server.request.duration.%',
    'TargetResponseTime_%',
  ),
  cpu: named('cpu', 'container_cpu_usage', 'process.cpu.utilization', 'CPUUtilization'),
  memory: named('memory', 'container_memory_working_set_#', 'process.memory.usage', 'MemoryUtilization'),
  disk: named('disk_used', 'filesystem_used_#', 'system.filesystem.usage', 'DiskSpaceUtilization'),
  rx: named('network_rx_bytes', 'container_network_receive_bytes', 'system.network.io.receive', 'NetworkIn'),
  tx: named(
    'network_tx_bytes',
    'container_network_transmit_bytes',
    'system.network.io.transmit',
    'NetworkOut',
  ),
  in_flight: named(
    'in_flight',
    'http_requests_in_flight',
    'http.server.active_requests',
    'ActiveConnectionCount',
  ),
  pool_used: named(
    'db_pool_in_use',
    'hikaricp_connections_active',
    'db.client.connections.usage',
    'DatabaseConnections',
  ),
  pool_wait: named(
    'db_pool_wait_ms',
    'hikaricp_connections_acquire_ms',
    'db.client.connections.wait_time',
    'ConnectionBorrowTime',
  ),
  depth: named(
    'queue_depth',
    'kafka_consumer_lag',
    'messaging.queue.depth',
    'ApproximateNumberOfMessagesVisible',
  ),
  hits: named('cache_hit_ratio', 'cache_hits_ratio', 'cache.hit_ratio', 'CacheHitRate'),
  restarts: named('restarts', 'kube_pod_container_restarts', 'k8s.container.restarts', 'RestartCount'),
  replicas: named(
    'replicas_ready',
    'kube_deployment_replicas_ready',
    'k8s.deployment.available_pods',
    'RunningTaskCount',
  ),
  refused: named('responses_429', 'http_responses_429', 'http.server.rejected', 'ThrottledRequests'),
  timeouts: named(
    'client_timeouts',
    'http_client_timeouts',
    'http.client.timeouts',
    'TargetConnectionErrorCount',
  ),
  node_cpu: named('node_cpu', 'node_cpu_utilisation', 'host.cpu.utilization', 'HostCPUUtilization'),
  node_memory: named('node_memory', 'node_memory_used', 'host.memory.usage', 'HostMemoryUtilization'),
  expiry: named(
    'tls_cert_days_until_expiry',
    'ssl_cert_expiry_days',
    'tls.server.certificate.days_left',
    'DaysToExpiry',
  ),
  business: named('orders', 'business_events', 'app.events', 'EventCount'),
} as const;
export type MetricKey = keyof typeof NAMES;

const LONG_UNIT = {
  ms: 'milliseconds',
  s: 'seconds',
  min: 'minutes',
  bytes: 'bytes',
  megabytes: 'megabytes',
  percent: 'percent',
} as const;
export type Unit = keyof typeof LONG_UNIT;

interface NameParts {
  readonly unit?: Unit;
  readonly statistic?: LatencyStatistic;
}

/** What the metrics of one form are called. In the opaque form a name says nothing, and is the same for every service. */
export function openMetricNames({ naming, seed }: Form): (key: MetricKey, parts?: NameParts) => string {
  const drawn = new Map<string, string>();
  const random = openRandom(`opaque ${seed}`);
  return (key, { unit, statistic } = {}) => {
    if (naming === 'opaque') {
      const full = `${key} ${unit} ${statistic}`;
      const known = drawn.get(full) ?? `m${String(drawn.size + 1).padStart(2, '0')}${random.int(10, 99)}`;
      drawn.set(full, known);
      return known;
    }
    const written =
      unit === undefined ? '' : naming === 'prometheus' || unit === 'min' ? LONG_UNIT[unit] : unit;
    return NAMES[key][naming].replace('#', written).replace('%', statistic ?? '');
  };
}

/** How a form counts failures. */
export function failureKey({ failures, counts, ratioUnit }: Form): MetricKey {
  if (failures === 'count') return counts === 'counter' ? 'failures_counter' : 'failures_count';
  if (failures === 'availability')
    return ratioUnit === 'percent' ? 'availability_percent' : 'availability_ratio';
  return failures === 'percent' ? 'failures_percent' : 'failures_ratio';
}

/** How a form counts requests. */
export const requestKey = ({ counts }: Form): MetricKey => `requests_${counts}`;
