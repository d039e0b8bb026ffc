import type { Change, Hypothesis, Incident, Rca, ServiceProfile, ServiceState, Topology } from '#spec/data';

/** What remedies are chosen from. */
export interface PolicyCase {
  readonly incident: Pick<Incident, 'id' | 'round' | 'service' | 'services'>;
  readonly rca: Rca;
  readonly changes: readonly Change[];
  readonly profile?: ServiceProfile | undefined;
  readonly topology?: Topology | undefined;
  readonly state: Readonly<Record<string, ServiceState>>;
}

export const placeOf = ({ service }: Hypothesis, { incident }: PolicyCase): string | undefined =>
  service ?? incident.service ?? incident.services[0];

/** The service that suffers from `culprit`: whom the alert names, before others that call it. */
export function callerOf(culprit: string, { incident, profile, topology }: PolicyCase): string | undefined {
  const named = [incident.service, ...incident.services].filter((service) => service !== undefined);
  const callers = (topology?.edges ?? []).filter(({ to }) => to === culprit).map(({ from }) => from);
  if (profile?.dependencies.includes(culprit)) callers.push(profile.service);
  const known = [...new Set(callers)].filter((caller) => caller !== culprit).toSorted();
  const alerting = named.find((service) => known.includes(service));
  return alerting ?? known[0] ?? named.find((service) => service !== culprit);
}
