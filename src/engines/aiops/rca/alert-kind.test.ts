import { describe, expect, it } from 'vitest';
import { sampleSystem } from '#testkit/bundles';
import { alertKind } from './alert-kind.ts';

const { bundle } = sampleSystem();
const { metric: _, ...plain } = bundle;

describe('alertKind', () => {
  it.each([
    ['a metric', { metric: 'latency_p95_ms', title: 'errors' }, 'latency'],
    ['a metric of neither', { metric: 'cpu_usage', title: 'errors' }, undefined],
    ['a status', { title: 'shop', labels: { code: '503' } }, 'errors'],
    ['a name', { title: 'shop', labels: { alertname: 'HighLatencyP95' } }, 'latency'],
    ['a title', { title: 'shop refuses requests' }, 'errors'],
    ['a title of both', { title: 'shop is slow and fails' }, undefined],
    ['a Chinese title', { title: '订单服务错误率升高' }, 'errors'],
    ['a Chinese title of time', { title: '订单服务响应变慢' }, 'latency'],
    ['a good status', { title: 'shop', labels: { code: '200' } }, undefined],
  ])('is read from %s', (_what, parts, kind) => {
    expect(alertKind({ ...plain, labels: {}, ...parts })).toBe(kind);
  });
});
