import { createHash } from 'node:crypto';
import type { Alert, Severity } from '#spec/data';

export interface ManualIncident {
  readonly title: string;
  readonly service?: string | undefined;
  readonly severity: Severity;
  readonly metric?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startsAt?: string | undefined;
}

/** What somebody tells of by hand, as the alert that nothing has sent. The same again is the same. */
export function manualAlert(source: string, told: ManualIncident, now: number): Alert {
  const { title, service, severity, metric, labels = {}, annotations = {}, startsAt } = told;
  const name = JSON.stringify([source, title, service ?? '', labels]);
  return {
    fingerprint: createHash('sha256').update(name).digest('hex').slice(0, 16),
    source,
    status: 'firing',
    title,
    severity,
    ...(service === undefined ? {} : { service }),
    ...(metric === undefined ? {} : { metric }),
    labels: { ...labels },
    annotations: { ...annotations },
    startsAt: startsAt ?? new Date(now).toISOString(),
  };
}
