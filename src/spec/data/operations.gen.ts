// Written by `npm run gen` from the files in data/operations. Do not edit.
import { operation as changeConfig_ } from './operations/change-config.ts';
import { operation as changeRateLimit_ } from './operations/change-rate-limit.ts';
import { operation as degradeDependency_ } from './operations/degrade-dependency.ts';
import { operation as failoverDependency_ } from './operations/failover-dependency.ts';
import { operation as flushCache_ } from './operations/flush-cache.ts';
import { operation as observe_ } from './operations/observe.ts';
import { operation as restartDeployment_ } from './operations/restart-deployment.ts';
import { operation as rollbackCanary_ } from './operations/rollback-canary.ts';
import { operation as scaleDeployment_ } from './operations/scale-deployment.ts';
import { operation as switchTraffic_ } from './operations/switch-traffic.ts';

export const operations = {
  change_config: changeConfig_,
  change_rate_limit: changeRateLimit_,
  degrade_dependency: degradeDependency_,
  failover_dependency: failoverDependency_,
  flush_cache: flushCache_,
  observe: observe_,
  restart_deployment: restartDeployment_,
  rollback_canary: rollbackCanary_,
  scale_deployment: scaleDeployment_,
  switch_traffic: switchTraffic_,
} as const;
