import type { DeployedService, DeployHistoryEntry, DeployRegistry } from '#kit/deploy-registry';

const HOUR_MS = 3_600_000;

const service = (
  version: string,
  previous: string,
  config: Readonly<Record<string, number>>,
): DeployedService => ({
  version,
  previous,
  canary: null,
  replicas: 2,
  config: { ...config },
  degraded: [],
  active: 'primary',
});

/** How the system is deployed on a good day. */
export const healthyServices = (): Record<string, DeployedService> => ({
  'payment-service': service('v2.3.0', 'v2.2.9', {
    pool_size: 20,
    pool_wait_ms: 500,
    coupon_timeout_ms: 1500,
    order_timeout_ms: 2000,
    card_timeout_ms: 1000,
    rate_limit_rps: 200,
  }),
  'order-service': service('v1.8.2', 'v1.8.1', {
    pool_size: 20,
    pool_wait_ms: 500,
    statement_timeout_ms: 500,
    rate_limit_rps: 25,
  }),
  'coupon-service': service('v1.4.0', 'v1.3.9', {
    pool_size: 10,
    pool_wait_ms: 500,
    cache_ttl_ms: 30_000,
    rules_timeout_ms: 1200,
    rate_limit_rps: 200,
  }),
});

/** What was rolled out long ago, and has nothing to do with what happens now. */
const formerChanges = (now: number): DeployHistoryEntry[] =>
  [
    ['dep-11', 75, 'coupon-service', 'v1.3.9', 'v1.4.0', 'coupon-service v1.4.0: rules cache'],
    ['dep-12', 51, 'order-service', 'v1.8.1', 'v1.8.2', 'order-service v1.8.2: order numbers'],
    ['dep-13', 26, 'payment-service', 'v2.2.9', 'v2.3.0', 'payment-service v2.3.0: receipts by mail'],
  ].map(([id, hours, name, from, to, summary]) => ({
    id: String(id),
    time: new Date(now - Number(hours) * HOUR_MS).toISOString(),
    service: String(name),
    kind: 'deploy',
    summary: String(summary),
    details: { from, to, by: 'ci' },
  }));

/** A registry of a good day. Fences and keys of actions that were carried out before are kept: they must never go back. */
export const initialRegistry = (now: number, before?: DeployRegistry): DeployRegistry => ({
  fence: before?.fence ?? 0,
  ...(before?.fences ? { fences: before.fences } : {}),
  applied: before?.applied ?? {},
  services: healthyServices(),
  history: formerChanges(now),
});
