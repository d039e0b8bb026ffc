import type { IncidentBundle } from '#spec/data';
import { readMetricName } from './metrics/read-metric-name.ts';
import type { ImpactKind } from './metrics/service-impact.ts';

/** A failed answer has a code; how long one took has none. */
const CODES = ['code', 'status', 'status_code', 'http_status_code', 'grpc_status'] as const;
const FAILED_CODE = /^(?:[45]\d\d|[45]xx)$/i;
const SLOW = /latenc|slow|p9\d|p50|duration|response ?time/i;
const FAILS = /error|fail|refus|5xx|4xx|\b(?:429|50\d)\b|unavailab|success ?rate/i;

/** What an alert is about: by its metric, else by a status among its labels, else by its name and title. */
export function alertKind({ metric, labels, title }: IncidentBundle): ImpactKind | undefined {
  const signal = metric === undefined ? undefined : readMetricName(metric).signal;
  if (signal === 'latency') return 'latency';
  if (signal === 'errors' || signal === 'availability') return 'errors';
  if (signal !== undefined) return undefined;
  if (CODES.some((name) => FAILED_CODE.test(labels[name] ?? ''))) return 'errors';
  const said = `${(labels['alertname'] ?? '').replace(/([a-z])([A-Z])/g, '$1 $2')} ${title}`;
  const [slow, fails] = [SLOW.test(said), FAILS.test(said)];
  if (slow === fails) return undefined;
  return slow ? 'latency' : 'errors';
}
