export { type HostMonitoring, openMonitoring } from './open-monitoring.ts';
