import type { LevelInstrument } from './instrument.ts';

const gauge = (metric: string, family: string, more: Partial<LevelInstrument> = {}): LevelInstrument => ({
  kind: 'level',
  metric,
  family,
  as: 'gauge',
  fold: 'sum',
  ...more,
});
const rate = (metric: string, family: string, more: Partial<LevelInstrument> = {}): LevelInstrument =>
  gauge(metric, family, { as: 'rate', ...more });

/** Databases, caches and queues by their exporters. Their requests are called queries: they come from inside. */
export const STORE_INSTRUMENTS: readonly LevelInstrument[] = [
  rate('queries_per_second', 'redis_commands_processed_total'),
  rate('latency_mean_ms', 'redis_commands_duration_seconds_total', {
    per: ['redis_commands_processed_total'],
    scale: 1_000,
  }),
  gauge('memory_bytes', 'redis_memory_used_bytes'),
  gauge('connections', 'redis_connected_clients'),
  gauge('connections_waiting', 'redis_blocked_clients'),
  rate('connections_rejected_per_second', 'redis_rejected_connections_total'),
  rate('evicted_keys_per_second', 'redis_evicted_keys_total'),
  rate('cache_hit_ratio', 'redis_keyspace_hits_total', {
    per: ['redis_keyspace_hits_total', 'redis_keyspace_misses_total'],
  }),

  rate('queries_per_second', 'mysql_global_status_queries'),
  gauge('connections', 'mysql_global_status_threads_connected'),
  gauge('connections_used_ratio', 'mysql_global_status_threads_connected', {
    per: ['mysql_global_variables_max_connections'],
  }),
  gauge('threads_running', 'mysql_global_status_threads_running'),
  rate('slow_statement_count_per_second', 'mysql_global_status_slow_queries'),
  rate('lock_waits_per_second', 'mysql_global_status_innodb_row_lock_waits'),
  rate('connection_errors_per_second', 'mysql_global_status_connection_errors_total'),

  rate('db_transactions_tps', 'pg_stat_database_xact_commit'),
  rate('rollback_errors_per_second', 'pg_stat_database_xact_rollback'),
  rate('deadlock_errors_per_second', 'pg_stat_database_deadlocks'),
  gauge('connections', 'pg_stat_activity_count'),
  gauge('connections_used_ratio', 'pg_stat_activity_count', { per: ['pg_settings_max_connections'] }),
  gauge('longest_transaction_wait_seconds', 'pg_stat_activity_max_tx_duration', { fold: 'max' }),
  gauge('replication_lag_seconds', 'pg_replication_lag', { fold: 'max' }),
  gauge('replication_lag_seconds', 'pg_replication_lag_seconds', { fold: 'max' }),

  gauge('queue_length', 'rabbitmq_queue_messages_ready', { services: ['queue', 'service', 'job'] }),
  gauge('consumer_lag', 'kafka_consumergroup_lag', { services: ['consumergroup'] }),
];
