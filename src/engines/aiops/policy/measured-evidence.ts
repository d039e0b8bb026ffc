import type { Evidence, Rca } from '#spec/data';
import { readMetricName, type Signal } from '../rca/metrics/read-metric-name.ts';

/** Numbers of a metric that evidence tells of. */
export interface MeasuredEvidence {
  readonly metric: string;
  readonly service: string;
  readonly signal: Signal;
  readonly callee: string | undefined;
  readonly baseline: number;
  readonly during: number;
}

/** How the root cause words what it measured: its query may be in any backend's language, its words are its own. */
const WORDINGS: readonly RegExp[] = [
  // failures of orders (error_rate) went from …
  /^(?:failures|latency) of (?<service>\S+) \((?<metric>[^)\s]+)\)/,
  // version v2 of orders: error_rate@v2 is …
  /^version \S+ of (?<service>\S+): (?<metric>\S+) is /,
  // cpu of orders went from …
  /^(?<metric>\S+) of (?<service>\S+) /,
];

export function readMeasured({ kind, summary, baseline, during }: Evidence): MeasuredEvidence | undefined {
  if (kind !== 'metric' || baseline === undefined || during === undefined) return undefined;
  for (const wording of WORDINGS) {
    const { metric, service } = wording.exec(summary)?.groups ?? {};
    if (metric === undefined || service === undefined) continue;
    const { signal, callee } = readMetricName(metric);
    return { metric, service, signal, callee, baseline, during };
  }
  return undefined;
}

export const measuredEvidence = ({ evidence }: Rca): MeasuredEvidence[] =>
  evidence.flatMap((one) => readMeasured(one) ?? []);
