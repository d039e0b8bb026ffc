import type { LevelInstrument } from './instrument.ts';

const gauge = (
  metric: string,
  family: string,
  fold: LevelInstrument['fold'],
  more: Partial<LevelInstrument> = {},
): LevelInstrument => ({ kind: 'level', metric, family, as: 'gauge', fold, ...more });
const rate = (metric: string, family: string, more: Partial<LevelInstrument> = {}): LevelInstrument => ({
  kind: 'level',
  metric,
  family,
  as: 'rate',
  fold: 'sum',
  ...more,
});

const PROCESS: readonly LevelInstrument[] = [
  gauge('up', 'up', 'avg'),
  rate('cpu_usage', 'process_cpu_seconds_total'),
  rate('cpu_usage', 'process_cpu_time_seconds_total'),
  gauge('memory_bytes', 'process_resident_memory_bytes', 'sum'),
  gauge('memory_bytes', 'process_memory_usage_bytes', 'sum'),
  gauge('memory_limit_ratio', 'process_memory_usage_bytes', 'sum', { per: ['process_memory_limit_bytes'] }),
  gauge('cpu_usage', 'process_cpu_utilization', 'sum'),
  gauge('cpu_usage', 'process_cpu_utilization_ratio', 'sum'),
  gauge('restarts', 'process_restarts', 'max'),
  gauge('file_descriptors_used_ratio', 'process_open_fds', 'sum', { per: ['process_max_fds'] }),
];

const RUNTIMES: readonly LevelInstrument[] = [
  gauge('goroutines', 'go_goroutines', 'sum'),
  gauge('heap_bytes', 'go_memstats_heap_inuse_bytes', 'sum'),
  rate('gc_seconds_per_second', 'go_gc_duration_seconds_sum'),
  gauge('heap_bytes', 'jvm_memory_used_bytes', 'sum', { where: 'area="heap"' }),
  gauge('heap_bytes', 'jvm_memory_used_bytes', 'sum', { where: 'jvm_memory_type="heap"' }),
  rate('gc_seconds_per_second', 'jvm_gc_pause_seconds_sum'),
  rate('gc_seconds_per_second', 'jvm_gc_duration_seconds_sum'),
  gauge('threads', 'jvm_threads_live_threads', 'sum'),
  gauge('threads', 'jvm_thread_count', 'sum'),
  gauge('thread_pool_used_ratio', 'tomcat_threads_busy_threads', 'sum', {
    per: ['tomcat_threads_config_max_threads'],
  }),
  gauge('heap_bytes', 'nodejs_heap_size_used_bytes', 'sum'),
  gauge('event_loop_lag_ms', 'nodejs_eventloop_lag_p99_seconds', 'max', { scale: 1_000 }),
  rate('gc_seconds_per_second', 'nodejs_gc_duration_seconds_sum'),
];

/** Names without `client_`: a pool is a resource of the service that owns it. */
const POOLS: readonly LevelInstrument[] = [
  gauge('connection_pool_in_use', 'db_client_connection_count', 'sum', {
    where: 'db_client_connection_state="used"',
  }),
  gauge('connection_pool_in_use', 'db_client_connection_count', 'sum', { where: 'state="used"' }),
  rate('connection_pool_wait_ms', 'db_client_connection_wait_time_seconds_sum', {
    per: ['db_client_connection_wait_time_seconds_count'],
    scale: 1_000,
  }),
  gauge('connection_pool_in_use', 'db_client_connections_usage', 'sum', { where: 'state="used"' }),
  gauge('connection_pool_waiting', 'db_client_connection_pending_requests', 'sum'),
  gauge('connection_pool_waiting', 'db_client_connections_pending_requests', 'sum'),
  rate('connection_pool_timeouts_per_second', 'db_client_connection_timeouts_total'),
  rate('connection_pool_timeouts_per_second', 'db_client_connections_timeouts_total'),
  gauge('connection_pool_in_use', 'hikaricp_connections_active', 'sum'),
  gauge('connection_pool_used_ratio', 'hikaricp_connections_active', 'sum', {
    per: ['hikaricp_connections_max'],
  }),
  gauge('connection_pool_waiting', 'hikaricp_connections_pending', 'sum'),
  rate('connection_pool_timeouts_per_second', 'hikaricp_connections_timeout_total'),
  gauge('connection_pool_in_use', 'go_sql_in_use_connections', 'sum'),
  gauge('connection_pool_used_ratio', 'go_sql_in_use_connections', 'sum', {
    per: ['go_sql_max_open_connections'],
  }),
  rate('connection_pool_waits_per_second', 'go_sql_wait_count_total'),
];

const SERVERS: readonly LevelInstrument[] = [
  gauge('requests_in_flight', 'http_server_active_requests', 'sum'),
  gauge('requests_in_flight', 'http_requests_in_flight', 'sum'),
  rate('rate_limit_rejected_per_second', 'http_server_rate_limit_rejections_total'),
  rate('cache_hit_ratio', 'cache_hits_total', { per: ['cache_hits_total', 'cache_misses_total'] }),
  rate('cache_lock_wait_ms', 'cache_lock_wait_time_seconds_sum', {
    per: ['cache_lock_wait_time_seconds_count'],
    scale: 1_000,
  }),
];

export const PROCESS_INSTRUMENTS: readonly LevelInstrument[] = [
  ...PROCESS,
  ...RUNTIMES,
  ...POOLS,
  ...SERVERS,
];
