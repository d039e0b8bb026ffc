import { type Finding, type FoundEvidence, MAY_BE_CHANCE } from '../finding.ts';
import type { ExplainingPlace } from './explained.ts';

/** The replicas of one service on one machine against its others, by one question. */
export interface MachineSide {
  readonly service: string;
  readonly side: string;
  readonly strength: number;
  /** How likely replicas that are alike lie as far apart. */
  readonly chance: number;
  /** Of all that the service does worse than before, how much is this machine's. */
  readonly share: number;
  readonly evidence: FoundEvidence;
}

/** A machine on which services do worse than elsewhere. */
export interface SuspectMachine extends ExplainingPlace {
  readonly worse: readonly MachineSide[];
}

/**
 * Machines on which more than one service does worse than elsewhere, or one, where the machine itself reports that it
 * lacks something. One service alone that does worse on one machine has a bad replica there, and that is its own.
 */
export function suspectMachines(
  sides: readonly MachineSide[],
  findings: readonly Finding[],
): SuspectMachine[] {
  const machines = Map.groupBy(sides, ({ side }) => side);
  return [...machines].flatMap(([name, own]) => {
    const services = [...Map.groupBy(own, ({ service }) => service)]
      .map(([service, asked]) => judged(service, asked))
      .toSorted((one, other) => one.chance - other.chance);
    const lacks = findings.some(({ service, source }) => service === name && source === 'resource');
    const [first, second] = services;
    // Any pair of services on any machine might have been the one.
    const pairs = (services.length * (services.length - 1)) / 2;
    const ofTwo = second ? machines.size * pairs * second.chance ** 2 : 1;
    const ofOne = machines.size * services.length * (first?.chance ?? 1);
    if (Math.min(ofTwo, lacks ? ofOne : 1) > MAY_BE_CHANCE) return [];
    const least = Math.max(second?.chance ?? 0, MAY_BE_CHANCE);
    const worse = services.filter(({ chance }) => chance <= least);
    return [
      {
        name,
        shares: new Map(worse.map(({ service, share }) => [service, { failures: share, time: share }])),
        worse: worse.flatMap((one) => one.worse),
      },
    ];
  });
}

/** One service on one machine: every question that was asked is one more chance of an accident. */
function judged(service: string, asked: readonly MachineSide[]) {
  const worse = asked.filter(({ strength }) => strength > 0);
  const chance = Math.min(1, asked.length * Math.min(1, ...worse.map((side) => side.chance)));
  const told = worse.filter((side) => asked.length * side.chance <= MAY_BE_CHANCE);
  return { service, chance, worse: told, share: Math.max(0, ...told.map(({ share }) => share)) };
}

/** Side by side as versions are. */
export const machineFindings = (machines: readonly SuspectMachine[]): Finding[] =>
  machines.flatMap(({ name, worse }) =>
    worse.map(({ strength, chance, evidence }) => ({
      source: 'version',
      service: name,
      strength,
      chance,
      category: 'service_fault',
      evidence,
    })),
  );
