import type { IncidentBundle } from '#spec/data';
import { readMetricName } from './metrics/read-metric-name.ts';
import type { ImpactKind } from './metrics/service-impact.ts';

/** A failed answer has a code; how long one took has none. */
const CODE = /(?:code|status)$/i;
const FAILED_CODE = /^[45][\dx]{2}$/i;
const SLOW = /laten|slow|response time/i;
const FAILS = /error|fail|refus|success/i;

/** What an alert is about: by its metric, else by a status among its labels, else by its name and title. */
export function alertKind({ metric, labels, title }: IncidentBundle): ImpactKind | undefined {
  const signal = metric === undefined ? undefined : readMetricName(metric).signal;
  if (signal === 'latency') return 'latency';
  if (signal === 'errors' || signal === 'availability') return 'errors';
  if (signal !== undefined) return undefined;
  if (Object.entries(labels).some(([name, value]) => CODE.test(name) && FAILED_CODE.test(value)))
    return 'errors';
  const said = `${labels['alertname'] ?? ''} ${title}`;
  const [slow, fails] = [SLOW.test(said), FAILS.test(said)];
  if (slow === fails) return undefined;
  return slow ? 'latency' : 'errors';
}
