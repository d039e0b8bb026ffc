import { createHash } from 'node:crypto';
import { severityOfWord } from '#kit/alert-labels';
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

const MOST_TITLE = 200;

/** What a sentence says about an incident: the service that it names, and how bad it is. */
export function toldIn(text: string): ManualIncident {
  const [service] =
    /[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:service|svc|api|gateway|server|worker|db)(?![a-z0-9-])/i.exec(text) ??
    [];
  const severity = text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => severityOfWord(word) ?? [])[0] ?? 'P2';
  return {
    title: text.slice(0, MOST_TITLE),
    severity,
    ...(service ? { service: service.toLowerCase() } : {}),
  };
}
