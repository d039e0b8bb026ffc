import { z } from 'zod';
import { fingerprintOf, metricOf, normalizeSeverity, serviceOf } from '#kit/alert-labels';
import type { Alert } from '#spec/data';
import { readInstant } from './read-instant.ts';

const Texts = z
  .record(z.string(), z.string())
  .nullish()
  .transform((texts) => texts ?? {});

/** One alert as Alertmanager sends it, and Grafana after it. */
export const PrometheusAlert = z.object({
  status: z.enum(['firing', 'resolved']),
  labels: Texts,
  annotations: Texts,
  startsAt: z.string(),
  endsAt: z.string().nullish(),
  generatorURL: z.string().nullish(),
  fingerprint: z.string().nullish(),
});
export type PrometheusAlert = z.infer<typeof PrometheusAlert>;

/** In our own words. `where` names it in errors. */
export function readPrometheusAlert(
  given: PrometheusAlert,
  { source, where, now }: { readonly source: string; readonly where: string; readonly now: number },
): Alert {
  const { status, labels, annotations } = given;
  const link = given.generatorURL || undefined;
  const service = serviceOf(labels);
  const metric = metricOf(labels, annotations, link);
  const endsAt =
    status === 'resolved' && given.endsAt ? readInstant(given.endsAt, `${where}.endsAt`) : undefined;
  return {
    fingerprint: given.fingerprint || fingerprintOf(labels),
    source,
    status,
    title: titleOf(labels, annotations, service),
    severity: normalizeSeverity(labels, annotations),
    ...(service === undefined ? {} : { service }),
    ...(metric === undefined ? {} : { metric }),
    labels,
    annotations,
    startsAt: readInstant(given.startsAt, `${where}.startsAt`) ?? new Date(now).toISOString(),
    ...(endsAt === undefined ? {} : { endsAt }),
    ...(link === undefined ? {} : { link }),
  };
}

function titleOf(
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
  service: string | undefined,
): string {
  const said = annotations['summary']?.trim() || annotations['title']?.trim();
  if (said) return said;
  const name = labels['rulename'] || labels['alertname'] || 'Alert';
  return service === undefined ? name : `${name}: ${service}`;
}
