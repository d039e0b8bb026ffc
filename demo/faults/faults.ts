import type { DeployedService, DeployHistoryEntry, DeployRegistry } from '#kit/deploy-registry';
import { newId } from '#kit/new-id';
import type { ServiceName } from '../system/service-names.ts';
import { USUAL_TRAFFIC } from '../traffic/traffic-shape.ts';
import type { Fault } from './fault.ts';

/** What can happen to the system. Each one is there within seconds, and ends within seconds after its remedy. */
export const FAULTS = [
  {
    id: 'PAYMENT_503_AFTER_DEPLOY',
    title: { en: 'Payments fail with 503 after a canary release', zh: '支付服务灰度发布后 503 飙升' },
    culprit: 'payment-service',
    category: 'deploy_regression',
    operation: 'rollback_canary',
    remedy: { service: 'payment-service', params: { from: 'v2.3.1', to: 'v2.3.0' } },
    inject: {
      registry: (draft, now) => {
        serviceIn(draft, 'payment-service').canary = { version: 'v2.3.1', weight: 50 };
        record(draft, now, 'payment-service', 'deploy', {
          summary: 'payment-service v2.3.1 canary at 50 %: new database connection pool, fraud check',
          details: { from: 'v2.3.0', to: 'v2.3.1', canary: true, weight: 50, by: 'ci', commit: '9c41e7d' },
        });
      },
    },
  },
  {
    id: 'COUPON_504_TIMEOUT',
    title: { en: 'Coupons time out and payments fail with 504', zh: '优惠券服务超时，支付返回 504' },
    culprit: 'coupon-service',
    category: 'dependency_timeout',
    operation: 'degrade_dependency',
    remedy: { service: 'payment-service', params: { dependency: 'coupon-service' } },
    inject: { world: () => ({ rulesStuck: true }) },
  },
  {
    id: 'ORDER_429_RATE_LIMIT',
    title: { en: 'Orders are refused with 429 by a rate limit', zh: '订单服务触发限流，返回 429' },
    culprit: 'order-service',
    category: 'rate_limit',
    operation: 'change_rate_limit',
    remedy: { service: 'order-service', params: { key: 'rate_limit_rps', from: 25, to: 50 } },
    // As many payments as ever, but full baskets, and all of them through one client.
    inject: { traffic: { items: [0.15, 0.5, 0.35], clients: ['web'] } },
  },
  {
    id: 'REDIS_HOT_KEY',
    title: { en: 'One hot cache key holds up all coupon reads', zh: '缓存热点 Key 拖慢优惠券查询' },
    culprit: 'coupon-service',
    category: 'hot_key',
    operation: 'flush_cache',
    remedy: { service: 'coupon-service', params: {} },
    inject: {
      world: (now) => ({ hotKey: { key: 'coupon:SPRING-SALE', since: now } }),
      traffic: { hotCouponShare: 0.85, couponShare: 0.75 },
    },
  },
  {
    id: 'SLOW_DATABASE',
    title: { en: 'The primary database of orders is slow', zh: '订单主库变慢' },
    culprit: 'order-service',
    category: 'database_latency',
    operation: 'failover_dependency',
    remedy: { service: 'order-service', params: { to: 'replica' } },
    inject: { world: () => ({ slowPrimary: 'order-service' }) },
  },
  {
    id: 'MEMORY_LEAK',
    title: { en: 'order-service runs out of memory', zh: '订单服务内存泄漏' },
    culprit: 'order-service',
    category: 'resource_exhaustion',
    operation: 'restart_deployment',
    remedy: { service: 'order-service', params: {} },
    inject: { world: (now) => ({ leak: { service: 'order-service', since: now } }) },
  },
  {
    id: 'BAD_CONFIG',
    title: { en: 'A time-out was configured a hundred times too short', zh: '超时配置被误改小一百倍' },
    culprit: 'payment-service',
    category: 'bad_config',
    operation: 'change_config',
    remedy: { service: 'payment-service', params: { key: 'order_timeout_ms', from: 20, to: 2000 } },
    inject: {
      registry: (draft, now) => {
        serviceIn(draft, 'payment-service').config['order_timeout_ms'] = 20;
        record(draft, now, 'payment-service', 'config', {
          summary: 'payment-service: order_timeout_ms from 2000 to 20',
          details: { key: 'order_timeout_ms', from: 2000, to: 20, by: 'mwang' },
        });
      },
    },
  },
  {
    id: 'DOWNSTREAM_CRASH',
    title: { en: 'coupon-service crashes again and again', zh: '优惠券服务反复崩溃' },
    culprit: 'coupon-service',
    category: 'crash_loop',
    operation: 'restart_deployment',
    remedy: { service: 'coupon-service', params: {} },
    inject: { world: (now) => ({ crash: { service: 'coupon-service', since: now } }) },
  },
  {
    id: 'TRAFFIC_SURGE',
    title: { en: 'Four times the traffic, and all is well', zh: '流量翻四倍，但一切正常' },
    category: 'traffic_surge',
    operation: 'observe',
    remedy: { service: 'payment-service', params: {} },
    inject: { traffic: { perSecond: USUAL_TRAFFIC.perSecond * 4 } },
  },
  {
    id: 'QUIET',
    title: { en: 'A quiet hour: nothing happens', zh: '平静的一小时：什么也没发生' },
    category: 'none',
    operation: 'observe',
    remedy: { service: 'payment-service', params: {} },
    inject: {},
  },
  {
    id: 'BAD_NODE',
    title: {
      en: 'A machine under two services is kept busy by others',
      zh: '承载两个服务的节点被其他负载占满',
    },
    culprit: 'node-2',
    category: 'resource_exhaustion',
    operation: 'observe',
    remedy: { service: 'payment-service', params: {} },
    inject: { world: () => ({ takenNode: 'node-2' }) },
  },
  {
    id: 'VENDOR_OUTAGE',
    title: { en: 'The card network has an outage', zh: '外部卡组织服务中断' },
    culprit: 'card-network',
    category: 'external',
    operation: 'observe',
    remedy: { service: 'payment-service', params: {} },
    inject: { world: () => ({ cardNetworkDown: true }) },
  },
] as const satisfies readonly Fault[];

export type FaultId = (typeof FAULTS)[number]['id'];

export const faultById = (id: string): Fault | undefined => FAULTS.find((fault) => fault.id === id);

function serviceIn({ services }: DeployRegistry, name: ServiceName): DeployedService {
  const found = services[name];
  if (!found) throw new Error(`the registry has no ${name}`);
  return found;
}

function record(
  { history }: DeployRegistry,
  now: number,
  service: ServiceName,
  kind: DeployHistoryEntry['kind'],
  rest: Pick<DeployHistoryEntry, 'summary' | 'details'>,
): void {
  history.push({ id: newId('dep'), time: new Date(now).toISOString(), service, kind, ...rest });
}
