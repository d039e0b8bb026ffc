import type { HostMonitoring } from '#app/monitoring';
import { API } from '#spec/api';
import type { Route } from '#spec/ports';
import { implement } from '../implement.ts';

/** How the observed system does. */
export const monitoringRoutes = (monitoring: HostMonitoring): Route[] => [
  implement(API.monitoring.overview, async ({ query }) => ({
    body: await monitoring.overview(query.minutes),
  })),
  implement(API.monitoring.logs, async ({ query: { service, text, ...scope } }) => ({
    body: await monitoring.logs({ ...scope, ...(service ? { service } : {}), ...(text ? { text } : {}) }),
  })),
  implement(API.monitoring.traces, async ({ query: { service, ...scope } }) => ({
    body: await monitoring.traces({ ...scope, ...(service ? { service } : {}) }),
  })),
];
