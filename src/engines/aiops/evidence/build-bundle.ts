import type { Alert, IncidentBundle, MetricSeries, ServiceProfile } from '#spec/data';
import { redact } from '#kit/redact';
import { alertMetric } from './alert-metric.ts';
import type { EvidenceRequest } from './evidence-request.ts';
import type { IncidentWindows } from './incident-windows.ts';

const MOST_FACTS = 64;
const LONGEST_LABEL = 300;
const LONGEST_ANNOTATION = 4_000;

/** The incident as the head of a bundle. */
export function buildBundle(
  { incident, alerts, profiles = [] }: EvidenceRequest,
  { baseline, incident: window }: IncidentWindows,
  series: readonly MetricSeries[],
): IncidentBundle {
  const service = ownName(incident.service, profiles);
  const metric = alertMetric(service, incident.metric, series);
  return {
    id: incident.id,
    title: redact(incident.title),
    severity: incident.severity,
    startsAt: incident.startsAt,
    ...(service === undefined ? {} : { service }),
    ...(metric === undefined ? {} : { metric }),
    labels: facts(alerts, ({ labels }) => labels, LONGEST_LABEL),
    annotations: facts(alerts, ({ annotations }) => annotations, LONGEST_ANNOTATION),
    baseline,
    incident: window,
  };
}

/** What telemetry calls a service that an alert calls by another of its names. */
export function ownName(
  service: string | undefined,
  profiles: readonly ServiceProfile[],
): string | undefined {
  if (service === undefined || profiles.some((profile) => profile.service === service)) return service;
  return profiles.find(({ names }) => Object.values(names).includes(service))?.service ?? service;
}

/** Of several alerts that say something under one name, the first counts. */
function facts(
  alerts: readonly Alert[],
  of: (alert: Alert) => Readonly<Record<string, string>>,
  longest: number,
): Record<string, string> {
  const entries = alerts.toReversed().flatMap((alert) => Object.entries(of(alert)));
  const first = [...new Map(entries)].slice(-MOST_FACTS);
  return Object.fromEntries(first.map(([name, text]) => [name, redact(text).slice(0, longest)]));
}
