import type { ServiceProfile, Topology } from '#spec/data';
import { ownName } from './build-bundle.ts';
import type { EvidenceLimits, EvidenceRequest } from './evidence-request.ts';
import type { FirstLooks } from './first-looks.ts';
import type { IncidentWindows } from './incident-windows.ts';
import { nearServices } from './near-services.ts';

/** What every question of one collection has in common. */
export interface Collecting {
  readonly request: EvidenceRequest;
  readonly limits: EvidenceLimits;
  readonly windows: IncidentWindows;
  /** Ends with the time for everything, or with the caller. */
  readonly signal: AbortSignal;
  /** Services that alerts name. */
  readonly own: readonly string[];
}

/** A cause is rarely further away than the callee of a callee. */
const NEAR = 2;

export function ownServices({ incident, profiles = [] }: EvidenceRequest): string[] {
  const named = [incident.service, ...incident.services].filter((service) => service !== undefined);
  return [...new Set(named.map((service) => ownName(service, profiles) ?? service))];
}

/** Who calls whom as people wrote it down. */
export const givenEdges = ({ topology, profiles = [] }: EvidenceRequest): Topology['edges'] => [
  ...(topology?.edges ?? []),
  ...profiles.flatMap(dependencyEdges),
];

const dependencyEdges = ({ service, dependencies }: ServiceProfile): Topology['edges'] =>
  dependencies.map((to) => ({ from: service, to }));

/** Undefined: all services. A few are looked at as a whole; of many, those near to what alerts name. */
export function scopeOf(
  { own, limits }: Collecting,
  topology: Topology,
  { services }: FirstLooks,
): readonly string[] | undefined {
  const all = new Set(topology.edges.flatMap(({ from, to }) => [from, to]));
  if (!own.length || all.size <= limits.services) return undefined;
  return [...new Set([...own, ...services, ...nearServices(own, topology, NEAR)])].slice(0, limits.services);
}
