import type { Hypothesis, Rca, Telemetry } from '#spec/data';
import type { SimulatedCase } from '#testkit/simulator';

/** What one answer to a drawn case is worth. */
export interface Judged {
  /** The first hypothesis is the truth: the change, where it is on record, else the place and no change. */
  readonly right: boolean;
  /** Somebody is named first. */
  readonly blames: boolean;
  readonly rightCategory: boolean;
  /** It would undo something that undoing does not mend. */
  readonly wrongUndo: boolean;
}

export function judgeSimulated({ status, hypotheses }: Rca, { truth, telemetry }: SimulatedCase): Judged {
  const first = status === 'no_incident' ? undefined : hypotheses[0];
  const blames = first !== undefined && (first.service !== undefined || first.change !== undefined);
  const undone = first?.undo ? first.change : undefined;
  return {
    right: truth.place === 'none' ? !blames : first !== undefined && isRight(first, truth, telemetry),
    blames,
    rightCategory: first !== undefined && [truth.category, ...truth.also].includes(first.category),
    wrongUndo: undone !== undefined && !truth.changes.includes(undone),
  };
}

function isRight(
  { category, service, change }: Hypothesis,
  truth: SimulatedCase['truth'],
  telemetry: Telemetry,
): boolean {
  if (isOnRecord({ truth, telemetry })) return change !== undefined && truth.changes.includes(change);
  if (change !== undefined) return false;
  if (truth.place === 'surge') return category === 'traffic_surge';
  if (truth.place === 'outside') return category === 'external' || service === truth.culprit;
  if (service === undefined) return false;
  return (
    truth.accepts.includes(service) ||
    (truth.callers.includes(service) && callersAccepted({ truth, telemetry }))
  );
}

type Told = Pick<SimulatedCase, 'truth' | 'telemetry'>;

/** Whether the guilty change can be named at all. */
export const isOnRecord = ({ truth, telemetry }: Told): boolean =>
  telemetry.changes?.some(({ id }) => truth.changes.includes(id)) ?? false;

/** Where nothing is known of the guilty service, whoever calls it is as near as anybody can come. */
export const callersAccepted = ({ truth, telemetry }: Told): boolean =>
  !isNamed(truth.culprit ?? '', telemetry);

/** Whether anything of the telemetry is about a service. */
const isNamed = (name: string, { metrics, topology, spans }: Telemetry): boolean =>
  metrics.some(({ service, metric }) => service === name || metric.endsWith(`_to_${name}`)) ||
  (topology?.edges.some(({ to }) => to === name) ?? false) ||
  spans.some(({ service, attributes }) => service === name || attributes?.['peer.service'] === name);
