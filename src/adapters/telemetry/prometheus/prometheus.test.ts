import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MetricSeries } from '#spec/data';
import {
  describeMetricsSource,
  describeRemoteTelemetry,
  hasPrometheus,
  type MetricSample,
  openMetrics,
  type RunningPrometheus,
  remoteOpener,
  SAMPLE_METRICS,
  SAMPLE_WINDOW,
  startFaultProxy,
  startPrometheus,
} from '#testkit/telemetry-contract';
import { telemetry } from './prometheus.ts';

const signal = new AbortController().signal;
const open = remoteOpener(telemetry);

const gauge = (family: string, labels: Record<string, string>, value: number): MetricSample => ({
  family,
  type: 'gauge',
  labels,
  value: () => value,
});
const counter = (family: string, labels: Record<string, string>, perSecond: number): MetricSample => ({
  family,
  type: 'counter',
  labels,
  value: () => perSecond,
});
const POD = {
  pod: 'cart-6d5f7c9b8d-x2x4z',
  container: 'main',
  image: 'cart:1',
  namespace: 'shop',
  job: 'kubelet',
};

/** What other kinds of instrumentation leave behind. */
const OTHERS: readonly MetricSample[] = [
  gauge('up', { job: 'billing', instance: 'a' }, 1),
  gauge('up', { job: 'billing', instance: 'b' }, 0),
  counter('http_requests', { job: 'billing', status: '2xx' }, 6),
  counter('http_requests', { job: 'billing', status: '5xx' }, 2),
  counter('container_cpu_usage_seconds', POD, 0.5),
  counter('container_cpu_usage_seconds', { ...POD, pod: 'cart-6d5f7c9b8d-bbbbb' }, 0.25),
  counter('container_cpu_usage_seconds', { ...POD, pod: 'store-0' }, 0.125),
  gauge('container_memory_working_set_bytes', POD, 1_000),
  gauge('container_memory_working_set_bytes', { ...POD, container: 'POD' }, 9_999),
  counter('container_cpu_cfs_throttled_periods', { pod: POD.pod }, 1),
  counter('container_cpu_cfs_periods', { pod: POD.pod }, 4),
  gauge('kube_deployment_status_replicas_ready', { deployment: 'cart', service: 'kube-state-metrics' }, 3),
  counter(
    'istio_requests',
    { reporter: 'source', source_workload: 'web', destination_service_name: 'cart', response_code: '200' },
    4,
  ),
  counter(
    'istio_requests',
    { reporter: 'source', source_workload: 'web', destination_service_name: 'cart', response_code: '503' },
    1,
  ),
  counter(
    'istio_requests',
    {
      reporter: 'destination',
      source_workload: 'web',
      destination_service_name: 'cart',
      response_code: '503',
    },
    1,
  ),
  counter('redis_keyspace_hits', { service: 'cache' }, 9),
  counter('redis_keyspace_misses', { service: 'cache' }, 1),
  counter('basket_queue_rejected', { app: 'cart' }, 0.5),
  counter('basket_queue_rejected', { job: 'depot' }, 0.25),
  counter('grpc_server_handled', { app: 'ledger', grpc_code: 'OK' }, 3),
  counter('grpc_server_handled', { app: 'ledger', grpc_code: 'Unavailable' }, 1),
  {
    family: 'http_client_request_duration_seconds',
    type: 'histogram',
    labels: { service: 'web', peer: 'bank', code: '200' },
    value: () => 3,
    duration: () => 0.02,
  },
  {
    family: 'http_client_request_duration_seconds',
    type: 'histogram',
    labels: { service: 'web', peer: 'bank', error: 'timeout' },
    value: () => 1,
    duration: () => 2,
  },
  gauge('only_told_here', { team: 'red', zone: 'eu' }, 42),
];

const level = (items: readonly MetricSeries[], service: string, metric: string): number | undefined => {
  const values = items.find((one) => one.service === service && one.metric === metric)?.values;
  return (
    values && Math.round(1_000 * (values.reduce((sum, value) => sum + value, 0) / values.length)) / 1_000
  );
};

describe.skipIf(!hasPrometheus)('prometheus (needs /usr/bin/prometheus and /usr/bin/promtool)', () => {
  let real: RunningPrometheus;
  let other: RunningPrometheus;
  beforeAll(async () => {
    [real, other] = await Promise.all([
      startPrometheus(openMetrics(SAMPLE_METRICS)),
      startPrometheus(openMetrics(OTHERS)),
    ]);
  });
  afterAll(async () => {
    await Promise.all([real.close(), other.close()]);
  });

  describeMetricsSource('prometheus', () => open(real.url));
  describeRemoteTelemetry('prometheus', open, () => real.url);

  const signalsOf = async (url: string, more: Record<string, unknown> = {}, services?: string[]) => {
    const { metrics, close } = await open(url, more);
    const answer = await metrics?.signals(
      { window: SAMPLE_WINDOW, limit: 1_000, ...(services ? { services } : {}) },
      signal,
    );
    await close();
    return answer ?? { items: [], asked: [], cut: false };
  };

  it('asks in words that a person can read', async () => {
    const { asked } = await signalsOf(real.url);
    expect(asked[0]?.query).toBe('sum by (service) (rate(http_server_request_duration_seconds_count[60s]))');
  });

  it('puts versions side by side where there are several', async () => {
    const { items } = await signalsOf(real.url);
    const names = items.filter(({ service }) => service === 'payment-service').map(({ metric }) => metric);
    expect(names).toContain('error_ratio@v2');
    expect(names).toContain('latency_p95_ms@v1');
    expect(level(items, 'payment-service', 'errors_503_per_second@v2')).toBeCloseTo(3, 0);
    const well = items.filter(({ service }) => service === 'order-service').map(({ metric }) => metric);
    expect(well.filter((metric) => metric.includes('@'))).toEqual([]);
  });

  it('tells call edges by their callee', async () => {
    const { items } = await signalsOf(real.url);
    expect(level(items, 'payment-service', 'latency_ms_mean_to_order-service')).toBeCloseTo(50, 0);
    expect(level(items, 'payment-service', 'requests_per_second_to_order-service')).toBeCloseTo(10, 0);
    expect(level(items, 'payment-service', 'error_ratio_to_order-service')).toBe(0);
  });

  it('reads containers, Kubernetes, meshes, exporters and plain libraries', async () => {
    const { items } = await signalsOf(other.url);
    const told = (service: string, metric: string) => level(items, service, metric);
    expect(told('billing', 'up')).toBe(0.5);
    expect(told('billing', 'requests_per_second')).toBe(8);
    expect(told('billing', 'errors_5xx_per_second')).toBe(2);
    expect(told('billing', 'error_ratio')).toBe(0.25);
    expect(told('cart', 'cpu_usage')).toBe(0.75);
    expect(told('store', 'cpu_usage')).toBe(0.125);
    expect(told('cart', 'memory_bytes')).toBe(1_000);
    expect(told('cart', 'cpu_throttled_ratio')).toBe(0.25);
    expect(told('cart', 'ready_replicas')).toBe(3);
    expect(told('web', 'requests_per_second_to_cart')).toBe(5);
    expect(told('web', 'error_ratio_to_cart')).toBe(0.2);
    expect(told('cart', 'requests_per_second')).toBe(1);
    expect(told('cache', 'cache_hit_ratio')).toBe(0.9);
    expect(told('web', 'error_ratio_to_bank')).toBe(0.25);
    expect(told('web', 'errors_no_answer_per_second_to_bank')).toBe(1);
    expect(told('ledger', 'error_ratio')).toBe(0.25);
    expect(told('ledger', 'errors_unreachable_per_second')).toBe(1);
    expect(told('ledger', 'errors_ok_per_second')).toBeUndefined();
    expect(told('cart', 'basket_queue_rejected_per_second')).toBe(0.5);
    expect(told('depot', 'basket_queue_rejected_per_second')).toBe(0.25);
  });

  it('finds a service by labels that the settings give, under its own name', async () => {
    const services = { 'billing-api': { job: 'billing' }, 'hit-store': { service: 'cache' } };
    const { items } = await signalsOf(other.url, { services }, ['billing-api']);
    expect(new Set(items.map(({ service }) => service))).toEqual(new Set(['billing-api']));
    expect(level(items, 'billing-api', 'requests_per_second')).toBe(8);
    const two = { 'billing-b': { job: 'billing', instance: 'b' } };
    const joined = await signalsOf(other.url, { services: two }, ['billing-b']);
    expect(level(joined.items, 'billing-b', 'up')).toBe(0);
  });

  it('takes names of services as they are', async () => {
    const strange = ['nobody"} or vector(1) or up{job="', 'b.*', 'a\\|cart'];
    const { items, asked } = await signalsOf(other.url, {}, strange);
    expect(items).toEqual([]);
    expect(asked.every(({ problem }) => problem === undefined)).toBe(true);
  });

  it('asks for signals of ones own', async () => {
    const catalogue = [{ metric: 'red_level', query: 'max by (team) (only_told_here)', by: 'team' }];
    const { items, asked } = await signalsOf(other.url, { catalogue });
    expect(level(items, 'red', 'red_level')).toBe(42);
    expect(asked[0]?.link).toContain('/graph?g0.expr=max+by+%28team%29');
  });

  it('keeps what answers when one query is wrong', async () => {
    const catalogue = [{ metric: 'broken', query: 'sum(' }];
    const { items, asked } = await signalsOf(other.url, { catalogue });
    expect(items.length).toBeGreaterThan(5);
    expect(asked.find(({ query }) => query === 'sum(')?.problem?.en).toMatch(/cannot answer/);
  });

  it('answers a query in PromQL', async () => {
    const { metrics, close } = await open(other.url);
    const scope = { window: SAMPLE_WINDOW, limit: 10 };
    const answer = await metrics?.query('http_requests_total{status="5xx"} * 0 + 7', scope, signal);
    expect(answer?.items).toMatchObject([{ service: 'billing', metric: 'value{status="5xx"}' }]);
    expect(answer?.items[0]?.values[0]).toBe(7);
    const named = await metrics?.query('only_told_here', { ...scope, services: ['cart'] }, signal);
    expect(named?.items).toMatchObject([{ service: 'cart', metric: 'only_told_here{team="red",zone="eu"}' }]);
    const others = await metrics?.query('http_requests_total', { ...scope, services: ['cart'] }, signal);
    expect(others?.items).toEqual([]);
    const wrong = metrics?.query('sum(', scope, signal);
    await expect(wrong).rejects.toMatchObject({ record: { code: 'input.invalid' } });
    await close();
  });

  it('sends long questions as a form', async () => {
    const services = Array.from({ length: 400 }, (_, at) => `service-number-${at}`);
    const proxy = await startFaultProxy(real.url);
    const { metrics, close } = await open(proxy.url, {}, proxy.token);
    const scope = { window: SAMPLE_WINDOW, services: [...services, 'order-service'], limit: 1_000 };
    const answer = await metrics?.signals(scope, signal);
    expect(level(answer?.items ?? [], 'order-service', 'requests_per_second')).toBe(10);
    expect(proxy.requests.some(({ method }) => method === 'POST')).toBe(true);
    await close();
    await proxy.close();
  });

  it('takes steps and rate windows from how often samples come', async () => {
    const { items, asked } = await signalsOf(real.url, {}, ['order-service']);
    const times = items.find(({ metric }) => metric === 'requests_per_second')?.times ?? [];
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(15);
    expect(asked[0]?.query).toContain('[60s]');
    const coarse = await signalsOf(real.url, { scrape_interval_seconds: 60 }, ['order-service']);
    expect(coarse.asked[0]?.query).toContain('[240s]');
  });

  it('shows that it looked where there is nothing', async () => {
    const empty = await startPrometheus(openMetrics([gauge('plain_number', { team: 'red' }, 1)]));
    const { items, asked } = await signalsOf(empty.url);
    await empty.close();
    expect(items).toEqual([]);
    expect(asked).toMatchObject([{ query: '/api/v1/label/__name__/values', found: 0 }]);
  });
});

describe('settings of prometheus', () => {
  const problem = (settings: unknown) => telemetry.settings.safeParse(settings).error?.issues[0]?.message;

  it('refuses addresses that carry a secret, and unknown keys', () => {
    expect(problem({ base_url: 'http://me:secret@prometheus:9090' })).toMatch(/without user, password/);
    expect(problem({ base_url: 'http://prometheus:9090/?token=x' })).toMatch(/without user, password/);
    expect(problem({ base_url: 'ftp://prometheus' })).toBeDefined();
    expect(problem({ base_url: 'http://prometheus:9090', tokn: 'x' })).toMatch(/tokn/);
    expect(problem({ base_url: 'http://prometheus:9090' })).toBeUndefined();
  });

  it('says which key is missing', () => {
    const settings = telemetry.settings.parse({
      base_url: 'http://p:9090',
      token_key: 'PROMETHEUS_AUTH_TOKEN',
    });
    const missing = (token?: string) =>
      telemetry.missing?.(settings, { key: () => token, folder: '/nowhere', now: Date.now })?.what;
    expect(missing()).toMatchObject({ en: expect.stringContaining('PROMETHEUS_AUTH_TOKEN') });
    expect(missing('unused')).toBeUndefined();
  });
});
