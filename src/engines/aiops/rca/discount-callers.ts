import type { CallGraph } from './call-graph.ts';
import type { Finding } from './finding.ts';

/**
 * A service may only pass on what it was given: of two in one chain of calls, the one that is called is the suspect. Half
 * of a finding is left where something below the service behaves at least half as strangely.
 */
export function discountCallers(findings: readonly Finding[], graph: CallGraph): Finding[] {
  return findings.map((finding) => {
    const below = graph.reach(finding.service);
    const passedOn = findings.some(
      ({ service, strength }) =>
        service !== finding.service &&
        below.has(service) &&
        !graph.reach(service).has(finding.service) &&
        strength >= finding.strength / 2,
    );
    return passedOn ? { ...finding, strength: finding.strength / 2 } : finding;
  });
}
