import { describe, expect, it } from 'vitest';
import { readMetricName } from './read-metric-name.ts';

describe('readMetricName', () => {
  it.each([
    ['latency_ms_p99', 'latency'],
    ['http_server_request_duration_seconds', 'latency'],
    ['TargetResponseTime_p90', 'latency'],
    ['requests_per_s', 'requests'],
    ['error_rate', 'errors'],
    ['http_5xx_ratio', 'errors'],
    ['HTTPCode_Target_5XX_Count', 'errors'],
    ['http_responses_429', 'errors'],
    ['availability_pct', 'availability'],
    ['up', 'availability'],
    ['container_cpu_usage', 'cpu'],
    ['CPUUtilization', 'cpu'],
    ['process.cpu.time', 'cpu'],
    ['memory_working_set', 'memory'],
    ['jvm.gc.duration', 'memory'],
    ['db_pool_in_use', 'saturation'],
    ['http_requests_in_flight', 'saturation'],
    ['db.client.connections.wait_time', 'waiting'],
    ['kube_pod_restarts_total', 'restarts'],
    ['tls_cert_seconds_until_expiry', 'expiry'],
    ['diskio_write', 'disk'],
    ['network_rx_bytes', 'network'],
    ['system.network.io.receive', 'network'],
    ['color_of_the_sky', 'other'],
    ['upload_size', 'other'],
    ['m0142', 'other'],
  ])('takes %s for %s', (name, signal) => {
    expect(readMetricName(name).signal).toBe(signal);
  });

  it('tells the ends of a call edge, the version, the machine and the side', () => {
    expect(readMetricName('latency_ms_p90_from_web')).toMatchObject({ caller: 'web', side: 'server' });
    expect(readMetricName('error_rate_to_cart-db')).toMatchObject({ callee: 'cart-db', side: 'client' });
    expect(readMetricName('latency_ms_avg@v2')).toMatchObject({ version: 'v2', base: 'latency_ms_avg' });
    expect(readMetricName('node_cpu').side).toBe('node');
    expect(readMetricName('client_latency_ms_p90').side).toBe('client');
  });

  it('takes a pool of a client for a resource of the service that owns it', () => {
    expect(readMetricName('db.client.connections.usage')).toMatchObject({ of: 'resources', side: 'server' });
  });

  it('does not take every "to" for a call', () => {
    expect(readMetricName('time_to_first_byte').callee).toBeUndefined();
  });

  it('reads no meaning from labels', () => {
    expect(readMetricName('basket_size{pod="error-queue-0"}').signal).toBe('other');
  });

  it('tells the tail and shares of a whole', () => {
    expect(readMetricName('latency_ms_p99').tail).toBe(true);
    expect(readMetricName('latency_ms_p50').tail).toBe(false);
    expect(readMetricName('ErrorRate').share).toBe(true);
    expect(readMetricName('errors_total').share).toBe(false);
  });

  it('knows which way is bad, and asks both ways where it does not', () => {
    expect(readMetricName('availability_pct').bad).toBe('down');
    expect(readMetricName('latency_ms_p50').bad).toBe('up');
    expect(readMetricName('pool_wait_ms').bad).toBe('up');
    expect(readMetricName('cache_hit_ratio').bad).toBe('down');
    expect(readMetricName('cache_size').bad).toBe('both');
    expect(readMetricName('m0142').bad).toBe('both');
  });
});
