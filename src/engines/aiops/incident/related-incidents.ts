import { ENOUGH_HEARD, heardIn } from '#kit/heard-in';
import { isRegroupable } from '#kit/is-regroupable';
import { tell, type Text } from '#kit/text';
import type { Alert } from '#spec/data';
import type { OpenIncident, Placement } from '#spec/ports';
import type { CallReach } from './call-reach.ts';
import type { RuledPairs } from './ruled-pairs.ts';

interface Relation {
  readonly incident: OpenIncident;
  /** How much is said of what connects them. */
  readonly heard: number;
  readonly why: Text;
}

interface Surroundings {
  /** Open incidents of the same time. */
  readonly near: readonly OpenIncident[];
  /** The one of them that has this service already. */
  readonly own: OpenIncident | undefined;
  /** What has alerts elsewhere, in a storm. */
  readonly gathered: readonly string[];
}

/** Of a system of at least so many services, when so large a share has alerts, what failed is common to all of them. */
const ISLAND = 3;
const MOST_OF_IT = 0.75;

/**
 * The incident of the same time that calls connect a service with. Failures go from the called to the caller, so
 *
 * - whoever calls a service of an incident suffers from it;
 * - whoever is called by one explains it, unless something else that it calls explains it already: two callees of one caller
 *   are two causes until something connects them;
 * - what explains several makes one of them, and so does what comes to be explained later;
 * - where most of a system has alerts, it is one.
 *
 * A lone lesser alert is often noise: it may join, but it explains nobody and makes no one of two incidents.
 */
export function relatedIncidents(
  reach: CallReach,
  ruled: RuledPairs,
): (service: string, alert: Alert, around: Surroundings) => Placement | undefined {
  const heardOf = ({ heard = {} }: OpenIncident, service: string): number => heard[service] ?? ENOUGH_HEARD;

  /** Nothing that it calls has said enough in this incident. */
  const isUnexplained = (service: string, incident: OpenIncident): boolean => {
    const callees = reach.callees(service);
    return !incident.services.some((other) => callees.has(other) && heardOf(incident, other) >= ENOUGH_HEARD);
  };

  const together = (service: string, incident: OpenIncident): Relation | undefined => {
    const other = incident.services.find((one) => ruled(service, one)?.verdict === 'together');
    const why = tell(`a rule joins ${service} and ${other}`, `规则规定 ${service} 与 ${other} 归为一起`);
    return other === undefined ? undefined : { incident, heard: Number.POSITIVE_INFINITY, why };
  };

  const suffering = (service: string, incident: OpenIncident): Relation | undefined => {
    const callees = reach.callees(service);
    const called = incident.services.filter((one) => callees.has(one));
    const [other] = called.toSorted((one, two) => heardOf(incident, two) - heardOf(incident, one));
    if (other === undefined) return undefined;
    const heard = called.reduce((sum, one) => sum + heardOf(incident, one), 0);
    return { incident, heard, why: tell(`${service} calls ${other}`, `${service} 调用 ${other}`) };
  };

  const explaining = (service: string, incident: OpenIncident): Relation | undefined => {
    const callers = reach.callers(service);
    const [other] = incident.services.filter((one) => callers.has(one) && isUnexplained(one, incident));
    if (other === undefined) return undefined;
    const why = tell(
      `${other}, which has alerts too, calls ${service}`,
      `同样有告警的 ${other} 调用 ${service}`,
    );
    return { incident, heard: heardOf(incident, other), why };
  };

  /** The only incident that is one call further, past a service without an alert: not everything that suffers tells. */
  const throughSilent = (service: string, near: readonly OpenIncident[]): Relation[] => {
    const fitting = near.flatMap((incident): Relation[] => {
      const other = incident.services.find(
        (one) =>
          heardOf(incident, one) >= ENOUGH_HEARD &&
          [...reach.callees(service)].some((between) => reach.callees(between).has(one)),
      );
      const why = tell(`${service} calls ${other} through another`, `${service} 经由其他服务调用 ${other}`);
      return other === undefined ? [] : [{ incident, heard: heardOf(incident, other), why }];
    });
    return fitting.length === 1 ? fitting : [];
  };

  /** Everything of one system, once most of it has alerts. */
  const wholeSystem = (service: string, { near, gathered }: Surroundings): Relation[] => {
    const island = reach.island(service);
    if (!island || island.size < ISLAND) return [];
    const isOfIt = (one: string): boolean => reach.island(one) === island;
    const parts = near.filter(({ services }) => services.some(isOfIt));
    const alerting = new Set(
      [service, ...gathered, ...parts.flatMap(({ services }) => services)].filter(isOfIt),
    ).size;
    if (alerting < island.size * MOST_OF_IT) return [];
    const why = tell(
      `${alerting} of ${island.size} services that calls connect have alerts at the same time`,
      `相互调用的 ${island.size} 个服务中有 ${alerting} 个同时告警`,
    );
    return parts.map((incident) => ({ incident, heard: 0, why }));
  };

  return (service, alert, around) => {
    const { own } = around;
    const apart = ({ services }: OpenIncident): boolean =>
      services.some((one) => ruled(service, one)?.verdict === 'apart');
    const usable = around.near.filter((incident) => incident !== own && !apart(incident));
    const find = (relate: typeof suffering): Relation[] =>
      usable
        .flatMap((incident) => relate(service, incident) ?? [])
        .toSorted((one, other) => other.heard - one.heard || byAge(one.incident, other.incident));
    const isHeard = (own ? (own.heard?.[service] ?? 0) : 0) + heardIn(alert) >= ENOUGH_HEARD;
    const [suffers] = own && !isUnexplained(service, own) ? [] : find(suffering);
    const explained = find(explaining);
    const whole = wholeSystem(service, { ...around, near: usable });
    const found = [
      ...find(together),
      ...(suffers && (!own || (isHeard && suffers.heard >= ENOUGH_HEARD)) ? [suffers] : []),
      ...(isHeard ? explained : own || suffers ? [] : explained.slice(0, 1)),
      ...(isHeard || !own ? whole : []),
    ];
    const silent = own || found.length > 0 ? [] : throughSilent(service, usable);
    return joining([...found, ...silent], own && { incident: own, why: ownWhy(service, own) });
  };
}

/** The oldest of them takes the alert, and the others that nobody has agreed to anything about become part of it. */
function joining(
  found: readonly Relation[],
  own: Pick<Relation, 'incident' | 'why'> | undefined,
): Placement | undefined {
  const all = [...(own ? [own] : []), ...found];
  const mergeable = all.filter(({ incident }) => isRegroupable(incident));
  const pool = own && !mergeable.includes(own) ? [own] : mergeable.length > 0 ? mergeable : all.slice(0, 1);
  const [first] = pool.toSorted((one, other) => byAge(one.incident, other.incident));
  if (!first) return undefined;
  // The first reason is the nearest one.
  const others = new Map<string, Text>();
  for (const { incident, why } of pool) if (!others.has(incident.id)) others.set(incident.id, why);
  others.delete(first.incident.id);
  const merge = [...others].map(([id, why]) => ({ id, why: id === own?.incident.id ? first.why : why }));
  return {
    to: 'incident',
    id: first.incident.id,
    why: own?.why ?? first.why,
    ...(merge.length ? { merge } : {}),
  };
}

export const ownWhy = (service: string, incident: OpenIncident): Text =>
  incident.service === service
    ? tell(`it is about ${service} too`, `同样是 ${service} 的告警`)
    : tell(`${service} is part of it`, `${service} 是其中一部分`);

/** The older one first. */
export const byAge = (one: OpenIncident, other: OpenIncident): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
