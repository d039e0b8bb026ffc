import { describe, expect, it } from 'vitest';
import { readMetricName } from './read-metric-name.ts';

describe('readMetricName', () => {
  it.each([
    ['latency_ms_p99', 'latency'],
    ['http_server_request_duration_seconds', 'latency'],
    ['requests_per_s', 'requests'],
    ['error_rate', 'errors'],
    ['http_5xx_ratio', 'errors'],
    ['availability_pct', 'availability'],
    ['container_cpu_usage', 'cpu'],
    ['memory_working_set', 'memory'],
    ['db_pool_in_use', 'saturation'],
    ['kube_pod_restarts_total', 'restarts'],
    ['tls_cert_seconds_until_expiry', 'expiry'],
    ['diskio_write', 'disk'],
    ['network_rx_bytes', 'network'],
    ['color_of_the_sky', 'other'],
  ])('takes %s for %s', (name, signal) => {
    expect(readMetricName(name).signal).toBe(signal);
  });

  it('tells the ends of a call edge, the version, the machine and the side', () => {
    expect(readMetricName('latency_ms_p90_from_web')).toMatchObject({ caller: 'web', side: 'server' });
    expect(readMetricName('error_rate_to_cart-db')).toMatchObject({ callee: 'cart-db', side: 'client' });
    expect(readMetricName('latency_ms_avg@v2')).toMatchObject({ version: 'v2', statistic: 'mean' });
    expect(readMetricName('node_cpu').side).toBe('node');
    expect(readMetricName('client_latency_ms_p90').side).toBe('client');
  });

  it('does not take every "to" for a call', () => {
    expect(readMetricName('time_to_first_byte').callee).toBeUndefined();
  });

  it('knows which way is bad', () => {
    expect(readMetricName('availability_pct').bad).toBe('down');
    expect(readMetricName('cache_hit_ratio').bad).toBe('down');
    expect(readMetricName('latency_ms_p50').bad).toBe('up');
  });
});
