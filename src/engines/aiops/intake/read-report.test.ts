import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { readReport } from './read-report.ts';

const KNOWN = {
  services: ['web', 'ledger'],
  isTechnology: (word: string) => ['redis', 'postgres'].includes(word),
};
const read = (text: string) => readReport(text, KNOWN);

describe('readReport', () => {
  it.each([
    ['payment-service 发布后 HTTP 503 飙升。请先查证据,再判断根因', 'payment-service', 'errors'],
    ['@RunbookHermes payment-service 503 飙升,先不要回滚。请查证据', 'payment-service', 'errors'],
    ['order-service 429 限流了,P2', 'order-service', 'traffic'],
    ['checkout latency doubled since the deploy', 'checkout', 'latency'],
    ['errors on search since 10:05', 'search', 'errors'],
    ['ledger is down', 'ledger', 'down'],
    ['inventory-svc pods OOMKilled after v1.4.2', 'inventory-svc', 'saturation'],
    ['订单服务错误率飙升,排查一下', '订单服务', 'errors'],
    ['web 好像变慢了', 'web', 'latency'],
    ['mobile-gateway keeps crashing', 'mobile-gateway', 'down'],
    ['billing p95 went from 100ms to 2s', 'billing', 'latency'],
    ['仓储服务的 Pod 总是被 OOMKilled', '仓储服务', 'saturation'],
    ['sms-sender P1', 'sms-sender', 'alert'],
  ])('tells: %s', (text, service, symptom) => {
    const report = read(text);
    expect(report).toMatchObject({ mood: 'tells', service });
    expect(report?.symptoms).toContain(symptom);
  });

  it.each([
    ['why is payment-service slow?', 'asks'],
    ['payment-service 为什么超时?', 'asks'],
    ['支付服务503怎么办', 'advice'],
    ['how do I handle a 504 of coupon-service', 'advice'],
    ['查一下 coupon-service 以前 504 怎么处理', 'past'],
    ['have we seen this 429 of web before?', 'past'],
    ['explain what an HTTP 503 error means', 'means'],
  ])('%s: %s', (text, mood) => {
    expect(read(text)?.mood).toBe(mood);
  });

  it('hears the grade, the codes and the release', () => {
    expect(read('checkout-api 502 and 504 after v2.3.1, sev1')).toMatchObject({
      severity: 'P1',
      codes: ['502', '504'],
      afterRelease: true,
      version: 'v2.3.1',
    });
    expect(read('支付网关严重超时')).toMatchObject({ severity: 'P1' });
    // Words of a sentence are no grades.
    expect(read('latency of web is high')).not.toHaveProperty('severity');
  });

  it.each([
    'redis is slow',
    'postgres is down',
    'disk full',
    '服务很慢',
    'the site is down',
    'pods are crashlooping in prod',
    'name lookups fail with SERVFAIL',
    'pods stuck in pending',
    'errors in the latest build',
  ])('takes no kind of thing for a service: %s', (text) => {
    expect(read(text)).toBeDefined();
    expect(read(text)).not.toHaveProperty('service');
  });

  it.each([
    'hello',
    'code review',
    'list incidents',
    '你好',
    'run df -h',
    'deploy payment-service',
    'my follow-up is done',
    '',
  ])('hears nothing wrong in %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('stays fast on any text', () => {
    const began = cpuMs();
    for (const piece of ['payment-', '503 ', '服务', 'is down ', 'why ', '-', 'a'.repeat(50)])
      read(piece.repeat(3_000));
    expect(cpuMs() - began).toBeLessThan(3_000);
  });
});
