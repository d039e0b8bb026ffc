import type { IncidentSummary } from '#spec/data';

/**
 * Whether somebody has to look at an open incident: it is stuck, or it is grave and nobody knows the cause. Of one that is
 * being acted on the cause is known.
 */
export const needsPerson = ({
  state,
  severity,
  cause,
}: Pick<IncidentSummary, 'state' | 'severity' | 'cause'>): boolean =>
  state === 'needs_person' || ((severity === 'P1' || severity === 'P2') && cause === undefined);
