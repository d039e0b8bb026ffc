import { shuffled } from '../../learning/seeded.ts';
import type { Change, Telemetry } from '#spec/data';
import { splitMetric } from './metric-name.ts';
import { ofTelemetry, type Transform } from './transform.ts';

const REQUESTS = /^(?:client_|outbound_)?requests(?:_per_s)?$/;

const withoutRequests = (telemetry: Telemetry): Telemetry | undefined => {
  const metrics = telemetry.metrics.filter(({ metric }) => !REQUESTS.test(splitMetric(metric).base));
  return metrics.length < telemetry.metrics.length ? { ...telemetry, metrics } : undefined;
};

const withoutTopology = ({ topology, ...telemetry }: Telemetry): Telemetry | undefined =>
  topology && telemetry;

const withoutDiff = (change: Change): Change => {
  const { diff: _, ...details } = change.details ?? {};
  return { ...change, details };
};

const withoutDiffs = (telemetry: Telemetry): Telemetry | undefined =>
  telemetry.changes?.some(({ details }) => typeof details?.['diff'] === 'string')
    ? { ...telemetry, changes: telemetry.changes.map(withoutDiff) }
    : undefined;

const inAnotherOrder = (telemetry: Telemetry, random: () => number): Telemetry => ({
  ...telemetry,
  metrics: shuffled(telemetry.metrics, random),
  logs: shuffled(telemetry.logs, random),
  spans: shuffled(telemetry.spans, random),
  ...(telemetry.changes ? { changes: shuffled(telemetry.changes, random) } : {}),
  ...(telemetry.topology ? { topology: { edges: shuffled(telemetry.topology.edges, random) } } : {}),
});

export const EVIDENCE_TRANSFORMS = {
  shuffled: ofTelemetry('answer', inAnotherOrder),
  'without-requests': ofTelemetry('part', withoutRequests),
  'without-topology': ofTelemetry('part', withoutTopology),
  'without-logs': ofTelemetry('part', (telemetry) =>
    telemetry.logs.length ? { ...telemetry, logs: [] } : undefined,
  ),
  'without-spans': ofTelemetry('part', (telemetry) =>
    telemetry.spans.length ? { ...telemetry, spans: [] } : undefined,
  ),
  'without-diffs': ofTelemetry('part', withoutDiffs),
} satisfies Readonly<Record<string, Transform>>;
