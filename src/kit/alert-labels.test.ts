import { describe, expect, it } from 'vitest';
import { fingerprintOf, metricOf, normalizeSeverity, serviceOf, severityOfWord } from './alert-labels.ts';

describe('normalizeSeverity', () => {
  it.each([
    ['critical', 'P1'],
    ['page', 'P1'],
    ['P0', 'P1'],
    ['SEV-1', 'P1'],
    ['P1 - Critical', 'P1'],
    ['紧急', 'P1'],
    ['high', 'P2'],
    ['sev2', 'P2'],
    ['error', 'P2'],
    ['Warning', 'P3'],
    ['priority 3', 'P3'],
    ['info', 'P4'],
    ['p5', 'P4'],
  ])('reads %s as %s', (word, severity) => expect(normalizeSeverity({ severity: word })).toBe(severity));

  it('lets a priority that somebody set win over the word of a tool', () =>
    expect(normalizeSeverity({ severity: 'warning', priority: 'P1' })).toBe('P1'));

  it('looks into the next set when the first tells nothing, and takes P3 where none does', () => {
    expect(normalizeSeverity({ severity: 'purple' }, { severity: 'critical' })).toBe('P1');
    expect(normalizeSeverity({ severity: 'purple' })).toBe('P3');
    expect(normalizeSeverity({})).toBe('P3');
  });

  it('is not fooled by names that every object has', () =>
    expect(severityOfWord('constructor')).toBeUndefined());
});

describe('serviceOf', () => {
  it.each([
    [{ service: 'payment', job: 'x' }, 'payment'],
    [{ service_name: 'payment' }, 'payment'],
    [{ app: 'coupon', job: 'kubernetes-pods' }, 'coupon'],
    [{ job: 'shop/order-service' }, 'order-service'],
    [{ destination_service: 'payment.shop.svc.cluster.local' }, 'payment'],
    [{ deployment: 'order' }, 'order'],
    [{ pod: 'payment-7d9f8b6c5d-x2x9q' }, 'payment'],
    [{ pod: 'payment-service-0' }, 'payment-service'],
    [{ pod: 'log-agent-x2x9q' }, 'log-agent'],
    [{ pod: 'node-cache-redis' }, 'node-cache-redis'],
    [{ pod: 'report-28391820-x2x9q' }, 'report'],
    [
      { service: 'monitoring-kube-state-metrics', job: 'kube-state-metrics', pod: 'pay-7d9f8b6c5d-x2x9q' },
      'pay',
    ],
    [{ service: 'kubelet', exported_service: 'payment' }, 'payment'],
  ])('finds the service in %j', (labels, service) =>
    expect(serviceOf(labels as Record<string, string>)).toBe(service),
  );

  it('does not take the one who measures for the one who is measured', () => {
    expect(serviceOf({ job: 'node-exporter', instance: 'db1:9100' })).toBeUndefined();
    expect(serviceOf({ alertname: 'Watchdog' })).toBeUndefined();
  });
});

describe('metricOf', () => {
  const link = (expression: string) =>
    `http://prometheus.example/graph?g0.expr=${encodeURIComponent(expression)}&g0.tab=1`;

  it('takes what the labels say', () =>
    expect(metricOf({ metric: 'latency_p95_ms' })).toBe('latency_p95_ms'));

  it.each([
    ['sum by (service) (rate(http_requests_total{code="503"}[5m])) > 0.1', 'http_requests_total'],
    ['histogram_quantile(0.95, sum(rate(lat_bucket{x="up"}[1m])) by (le)) > 1', 'lat_bucket'],
    ['absent(up{job="x"})', 'up'],
    ['1 - (job:errors:ratio5m offset 5m)', 'job:errors:ratio5m'],
  ])('finds the metric in %s', (expression, metric) =>
    expect(metricOf({}, {}, link(expression))).toBe(metric),
  );

  it('says nothing where there is none', () => {
    expect(metricOf({}, {}, 'not a link')).toBeUndefined();
    expect(metricOf({}, {}, link('vector(1) > 0'))).toBeUndefined();
  });
});

describe('fingerprintOf', () => {
  it('begins where FNV-1a begins', () => expect(fingerprintOf({})).toBe('cbf29ce484222325'));

  it('does not depend on order, and tells names from values', () => {
    expect(fingerprintOf({ a: '1', b: '2' })).toBe(fingerprintOf({ b: '2', a: '1' }));
    expect(fingerprintOf({ ab: 'c' })).not.toBe(fingerprintOf({ a: 'bc' }));
  });
});
