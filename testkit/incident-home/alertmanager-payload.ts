import { createHash } from 'node:crypto';

export interface FiringAlert {
  readonly name: string;
  readonly service?: string;
  readonly severity?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly startsAt: number;
  /** Absent while it fires. */
  readonly endsAt?: number;
}

/** One delivery as Alertmanager makes it, webhook version 4. */
export function alertmanagerPayload(alerts: readonly FiringAlert[]): object {
  const firing = alerts.some(({ endsAt }) => endsAt === undefined);
  return {
    version: '4',
    groupKey: `{}:{alertname="${alerts[0]?.name ?? ''}"}`,
    truncatedAlerts: 0,
    status: firing ? 'firing' : 'resolved',
    receiver: 'hermes',
    groupLabels: { alertname: alerts[0]?.name ?? '' },
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'http://127.0.0.1/alertmanager',
    alerts: alerts.map(shown),
  };
}

function shown({ name, service, severity = 'critical', labels, startsAt, endsAt }: FiringAlert): object {
  const all = { alertname: name, ...(service === undefined ? {} : { service }), severity, ...labels };
  return {
    status: endsAt === undefined ? 'firing' : 'resolved',
    labels: all,
    annotations: { summary: `${name} of ${service ?? 'something'}` },
    startsAt: new Date(startsAt).toISOString(),
    endsAt: endsAt === undefined ? '0001-01-01T00:00:00Z' : new Date(endsAt).toISOString(),
    generatorURL: '',
    fingerprint: createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16),
  };
}
