import type { IncidentDigest, IncidentFact, IncidentState, IncidentSummary, SkillChange } from '#spec/data';
import type { IncidentHistory } from '#spec/ports';
import { bucketsOf } from './buckets.ts';
import { countActions } from './digest-actions.ts';
import { spreadOf, type Timed } from './spread.ts';

/** What is counted in a digest. Other facts need not be read. */
export const DIGEST_FACTS: readonly IncidentFact['type'][] = [
  'rca.concluded',
  'rca.inconclusive',
  'action.proposed',
  'approval.requested',
  'approval.granted',
  'approval.denied',
  'approval.expired',
  'execution.finished',
  'recovery.verified',
  'recovery.failed',
  'lesson.recorded',
];

export interface DigestInput {
  /** Incidents to which something happened in this time. */
  readonly histories: readonly IncidentHistory[];
  /** Milliseconds since the epoch; `to` is no part of it. */
  readonly from: number;
  readonly to: number;
  /** Whose days they are: `Europe/Berlin`. */
  readonly zone: string;
  /** What was done to skills, by Hermes or by people. */
  readonly edits?: readonly SkillChange[];
}

type Ids = readonly string[];

const MOST_LOUD = 5;

export function digestOf({ histories: all, from, to, zone, edits = [] }: DigestInput): IncidentDigest {
  // What became part of another incident is told there.
  const histories = all.filter(({ incident }) => incident.mergedInto === undefined);
  const within = (at: number | string | undefined): boolean => {
    const ms = typeof at === 'string' ? Date.parse(at) : (at ?? Number.NaN);
    return ms >= from && ms < to;
  };
  const opened = histories.filter(({ incident }) => within(incident.createdAt));
  const ended = histories.filter(({ incident }) => within(incident.closedAt));
  const told = (type: IncidentFact['type']): Ids =>
    histories.flatMap(({ incident, facts }) =>
      facts.flatMap((fact) => (fact.type === type && within(fact.at) ? [incident.id] : [])),
    );
  const endedAs = (state: IncidentState): Ids =>
    idsOf(ended.filter(({ incident }) => incident.state === state));
  return {
    from,
    to,
    zone,
    incidents: histories.map(({ incident }) => withoutNote(incident)),
    opened: idsOf(opened),
    ended: {
      recovered: endedAs('recovered'),
      resolved: endedAs('resolved'),
      closed: endedAs('closed'),
    },
    buckets: bucketsOf(histories, { from, to, zone }),
    times: {
      detect: spreadOf(opened.map(({ incident }) => timed(incident, incident.startsAt, incident.createdAt))),
      diagnose: spreadOf(histories.flatMap((history) => diagnosed(history, within))),
      decide: spreadOf(histories.flatMap((history) => decided(history, within))),
      recover: spreadOf(histories.flatMap((history) => recovered(history, within))),
    },
    severities: grouped(opened, ({ severity }) => severity)
      .map(([severity, incidents]) => ({ severity, incidents }))
      .toSorted((one, other) => one.severity.localeCompare(other.severity)),
    services: grouped(opened, serviceOf).map(([service, incidents]) => ({ service, incidents })),
    causes: grouped(opened, ({ cause }) => cause ?? ('unknown' as const)).map(([cause, incidents]) => ({
      cause,
      incidents,
    })),
    inconclusive: idsOf(histories.filter((history) => endsUncertain(history, within))),
    approvals: {
      requested: told('approval.requested'),
      granted: told('approval.granted'),
      denied: told('approval.denied'),
      expired: told('approval.expired'),
    },
    ...countActions(histories, within),
    repeated: repeatedFaults(opened),
    noise: {
      deliveries: sum(opened.map(({ deliveries }) => deliveries)),
      alerts: sum(opened.map(({ incident }) => incident.alerts)),
      loudest: opened
        .map(({ incident: { id, alerts }, deliveries }) => ({ incident: id, alerts, deliveries }))
        .toSorted((one, other) => other.alerts - one.alerts || other.deliveries - one.deliveries)
        .slice(0, MOST_LOUD),
    },
    learned: {
      ...learnedIn(histories, within),
      edits: edits.filter(({ at }) => within(at)).toSorted((one, other) => one.at - other.at),
    },
  };
}

type Within = (at: number | string | undefined) => boolean;

const idsOf = (histories: readonly IncidentHistory[]): Ids => histories.map(({ incident }) => incident.id);
function withoutNote(incident: IncidentSummary): IncidentDigest['incidents'][number] {
  const { note: _, ...rest } = incident;
  return rest;
}
const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);
const serviceOf = ({ blamed, service }: IncidentSummary): string => blamed ?? service ?? '';
const timed = ({ id }: IncidentSummary, start: string | number, end: string | number): Timed => ({
  incident: id,
  ms: new Date(end).getTime() - new Date(start).getTime(),
});

/** The largest group first. */
function grouped<K>(
  histories: readonly IncidentHistory[],
  keyOf: (incident: IncidentSummary) => K,
): (readonly [K, Ids])[] {
  const groups = Map.groupBy(histories, ({ incident }) => keyOf(incident));
  return [...groups]
    .map(([key, members]) => [key, idsOf(members)] as const)
    .toSorted(([, one], [, other]) => other.length - one.length);
}

/** The first certain cause, where it was found in this time. */
function diagnosed({ incident, facts }: IncidentHistory, within: Within): Timed[] {
  const first = facts.find(({ type }) => type === 'rca.concluded');
  return first && within(first.at) ? [timed(incident, incident.createdAt, first.at)] : [];
}

/** Every answer of a person, to the request that it is about. */
function decided({ incident, facts }: IncidentHistory, within: Within): Timed[] {
  const asked = new Map<string, string>();
  const times: Timed[] = [];
  for (const fact of facts) {
    if (fact.type === 'approval.requested') asked.set(fact.data.approval, fact.at);
    if (fact.type !== 'approval.granted' && fact.type !== 'approval.denied') continue;
    const since = asked.get(fact.data.approval);
    if (since !== undefined && within(fact.at)) times.push(timed(incident, since, fact.at));
  }
  return times;
}

function recovered({ incident, facts }: IncidentHistory, within: Within): Timed[] {
  const last = facts.findLast(({ type }) => type === 'recovery.verified');
  return last && within(last.at) ? [timed(incident, incident.startsAt, last.at)] : [];
}

function endsUncertain({ facts }: IncidentHistory, within: Within): boolean {
  const verdicts = facts.filter(
    ({ type, at }) => (type === 'rca.concluded' || type === 'rca.inconclusive') && within(at),
  );
  return verdicts.at(-1)?.type === 'rca.inconclusive';
}

function repeatedFaults(opened: readonly IncidentHistory[]): IncidentDigest['repeated'] {
  const known = opened.filter(({ incident }) => incident.cause !== undefined && incident.cause !== 'none');
  const groups = Map.groupBy(known, ({ incident }) => `${incident.cause} ${serviceOf(incident)}`);
  return [...groups.values()]
    .flatMap((members) => {
      const [first] = members;
      const cause = first?.incident.cause;
      if (!first || cause === undefined || members.length < 2) return [];
      return [{ service: serviceOf(first.incident), cause, incidents: idsOf(members) }];
    })
    .toSorted((one, other) => other.incidents.length - one.incidents.length);
}

function learnedIn(
  histories: readonly IncidentHistory[],
  within: Within,
): Omit<IncidentDigest['learned'], 'edits'> {
  const lessons = histories.flatMap(({ incident, facts }) =>
    facts.flatMap((fact) =>
      fact.type === 'lesson.recorded' && within(fact.at)
        ? [{ id: incident.id, lesson: fact.data.lesson }]
        : [],
    ),
  );
  const having = (part: 'knowledge' | 'evalCase'): Ids =>
    lessons.flatMap(({ id, lesson }) => (lesson[part] === undefined ? [] : [id]));
  const named = (part: 'skill' | 'workflow') =>
    lessons.flatMap(({ id, lesson }) => {
      const name = lesson[part];
      return name === undefined ? [] : [{ name, incident: id }];
    });
  return {
    lessons: lessons.map(({ id }) => id),
    memories: sum(lessons.map(({ lesson }) => lesson.memories.length)),
    skills: named('skill'),
    workflows: named('workflow'),
    knowledge: having('knowledge'),
    evalCases: having('evalCase'),
  };
}
