export { runService } from './run-service.ts';
export {
  type Demo,
  type DemoOptions,
  type DemoService,
  startDemo,
} from './start-demo.ts';
export type { DemoEvent } from './demo-event.ts';
export type { DemoStats, ServiceStats } from './demo-stats.ts';
export type { Fault } from './faults/fault.ts';
export { FAULTS, type FaultId } from './faults/faults.ts';
export {
  prometheusFiles,
  type PrometheusFiles,
  type PrometheusPorts,
} from './prometheus/prometheus-files.ts';
export type { SpawnService } from './supervisor/supervisor.ts';
