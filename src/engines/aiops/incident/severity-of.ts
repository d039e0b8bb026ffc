import { type Alert, SEVERITIES, type Severity } from '#spec/data';

/** The worst among alerts; undefined where there are none. */
export const severityOf = (alerts: readonly Pick<Alert, 'severity'>[]): Severity | undefined =>
  SEVERITIES.find((severity) => alerts.some((alert) => alert.severity === severity));
