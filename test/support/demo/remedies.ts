import type { DeployedService } from '#kit/deploy-registry';

export type Edit = (service: DeployedService) => void;

const now = (): string => new Date().toISOString();

export const restart: Edit = (service) => {
  service.restartedAt = now();
};
export const flush: Edit = (service) => {
  service.cacheFlushedAt = now();
};

/** The right action for each fault, as it is written into the registry. */
export const REMEDIES: Readonly<Record<string, Edit>> = {
  rollback_canary: (service) => {
    service.canary = null;
  },
  degrade_dependency: (service) => service.degraded.push('coupon-service'),
  // The least that a careful responder raises it by.
  change_rate_limit: (service) => {
    service.config['rate_limit_rps'] = 38;
  },
  change_config: (service) => {
    service.config['order_timeout_ms'] = 2000;
  },
  flush_cache: flush,
  failover_dependency: (service) => {
    service.active = 'replica';
  },
  restart_deployment: restart,
};
