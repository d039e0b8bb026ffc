import type { CallGraph } from '../call-graph.ts';
import type { Finding, FindingSource } from '../finding.ts';

/**
 * How directly a source tells the place of a fault. Resources, wires and the course of calls are of one service;
 * latency and failures are shared with callers even after subtraction; complaints in logs are louder at the victims.
 */
const WEIGHTS: Readonly<Record<FindingSource, number>> = {
  resource: 1,
  call_edge: 1,
  log_flow: 1,
  version: 1,
  silence: 0.7,
  store: 0.8,
  error_origin: 0.9,
  latency: 0.8,
  errors: 0.8,
  self_time: 0.6,
  log_burst: 0.5,
};
/** What the alerting service does not need, directly or not, is an unlikely cause of its alert. */
const OUT_OF_REACH = 0.3;

export interface SuspectService {
  readonly service: string;
  readonly score: number;
  /** The strongest first. */
  readonly findings: readonly Finding[];
}

/** Services by what speaks against them. Of each source the strongest finding counts: more of the same is no new reason. */
export function rankServices(
  findings: readonly Finding[],
  graph: CallGraph,
  alertService: string | undefined,
): SuspectService[] {
  const known =
    alertService !== undefined && (graph.callees.has(alertService) || graph.callers.has(alertService));
  const reach = known ? graph.reach(alertService) : undefined;
  const suspects = [...Map.groupBy(findings, ({ service }) => service)].map(([service, own]) => {
    const strongest = new Map<FindingSource, number>();
    for (const { source, strength } of own) {
      strongest.set(source, Math.max(strongest.get(source) ?? 0, strength * WEIGHTS[source]));
    }
    const total = [...strongest.values()]
      .sort((one, other) => one - other)
      .reduce((sum, value) => sum + value, 0);
    const near = !reach || reach.has(service) ? 1 : OUT_OF_REACH;
    return { service, score: total * near, findings: own.toSorted(byWeight) };
  });
  return suspects.toSorted((one, other) => other.score - one.score || (one.service < other.service ? -1 : 1));
}

export const weightOf = ({ source, strength }: Finding): number => strength * WEIGHTS[source];

const byWeight = (one: Finding, other: Finding): number =>
  weightOf(other) - weightOf(one) || (one.evidence.summary.en < other.evidence.summary.en ? -1 : 1);
