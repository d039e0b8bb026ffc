import { heardIn } from '#kit/heard-in';
import type { Alert, Incident } from '#spec/data';

/** The incident that an alert opens. */
export function newIncident(id: string, alert: Alert, at: number): Incident {
  const { title, severity, service, metric, source, startsAt } = alert;
  return {
    id,
    title,
    severity,
    state: 'investigating',
    ...(service === undefined ? {} : { service }),
    services: service === undefined ? [] : [service],
    ...(service === undefined ? {} : { heard: { [service]: heardIn(alert) } }),
    ...(metric === undefined ? {} : { metric }),
    source,
    labels: alert.labels,
    startsAt,
    alerts: 1,
    firing: 1,
    round: 0,
    createdAt: at,
    updatedAt: at,
  };
}
