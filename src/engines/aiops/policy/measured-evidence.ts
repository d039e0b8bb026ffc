import type { Evidence, Rca } from '#spec/data';
import { namedSeries } from '../rca/grounding/metric-slice.ts';
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

export function readMeasured(
  evidence: Pick<Evidence, 'kind' | 'series' | 'query' | 'baseline' | 'during'>,
): MeasuredEvidence | undefined {
  const { kind, baseline, during } = evidence;
  const series = evidence.series ?? namedSeries(evidence);
  if (kind !== 'metric' || !series || baseline === undefined || during === undefined) return undefined;
  const { signal, callee } = readMetricName(series.metric);
  return { ...series, signal, callee, baseline, during };
}

export const measuredEvidence = ({ evidence }: Rca): MeasuredEvidence[] =>
  evidence.flatMap((one) => readMeasured(one) ?? []);
