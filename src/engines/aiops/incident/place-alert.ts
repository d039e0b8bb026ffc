import type { Language } from '#kit/language';
import { say, tell } from '#kit/text';
import type { Alert, MaintenanceWindow, Topology } from '#spec/data';
import type { GroupingRule, OpenIncident, Placement, ToldBy } from '#spec/ports';
import { callReach } from './call-reach.ts';
import { byAge, ownWhy, relatedIncidents } from './related-incidents.ts';
import { ruledPairs } from './ruled-pairs.ts';
import { sameKind } from './same-kind.ts';

export interface PlaceOptions {
  readonly topology: Topology;
  readonly maintenance: readonly MaintenanceWindow[];
  /** What people said of pairs of services. */
  readonly rules?: readonly GroupingRule[];
  /** Alerts that began this close together may be one incident. */
  readonly windowMs?: number;
  /** The same for alerts of the very service: rules about one fault wait for different times before they fire. */
  readonly serviceWindowMs?: number;
  /** The language of the title of a storm: titles have one. */
  readonly language?: Language;
  readonly now: () => number;
  readonly newId: () => string;
}

type Place = (alert: Alert, open: readonly OpenIncident[], told?: ToldBy) => Placement;

const WINDOW_MS = 10 * 60_000;
const SERVICE_WINDOW_MS = 60 * 60_000;
/** So many lesser incidents that nothing connects, opened within minutes, are a flood. */
const FLOOD = 10;
const STORM = tell('Alert storm', '告警风暴');

/**
 * Where an alert belongs that no open incident has: to one that evidence connects it with, else to a new one. Lesser alerts
 * that nothing connects are gathered in a storm once they are a flood; a P1 or P2 never is. What a person opens stays apart.
 * Quick: it is asked within a transaction, up to a thousand times.
 */
export function placeAlert({
  topology,
  maintenance,
  rules = [],
  windowMs = WINDOW_MS,
  serviceWindowMs = SERVICE_WINDOW_MS,
  language = 'en',
  now,
  newId,
}: PlaceOptions): Place {
  const related = relatedIncidents(callReach(topology), ruledPairs(rules));
  return (alert, open, told) => {
    if (told === 'opened') return { to: 'new', id: newId() };
    const at = now();
    const planned = maintenance.find((window) => isPlanned(window, alert, at));
    if (planned)
      return { to: 'nowhere', why: tell(`Maintenance: ${planned.name}`, `计划维护:${planned.name}`) };
    const single = open.filter(({ kind }) => kind !== 'storm');
    const own = sameService(alert, single, Math.max(windowMs, serviceWindowMs), told === 'told');
    const near = single.filter((incident) => !incident.byHand && timeApart(alert, incident) <= windowMs);
    if (own && (told || !near.includes(own)))
      return { to: 'incident', id: own.id, why: ownWhy(alert.service ?? '', own) };
    if (told) return { to: 'new', id: newId() };
    const { service } = alert;
    const joined =
      service === undefined
        ? sameKind(alert, near)
        : related(service, alert, { near, own, gathered: gathered(open) });
    if (joined) return joined;
    if (isGrave(alert)) return { to: 'new', id: newId() };
    const storm = open.find(
      ({ kind, createdAt, updatedAt }) =>
        kind === 'storm' && at - updatedAt <= windowMs && at - createdAt <= serviceWindowMs,
    );
    const lesser = near.filter((incident) => !isGrave(incident) && at - incident.createdAt <= windowMs);
    if (!storm && lesser.length < FLOOD) return { to: 'new', id: newId() };
    const why = tell(
      'it came with many others, and nothing tells what it belongs to',
      '与大量告警同时出现,没有证据说明它属于哪个事故',
    );
    return storm
      ? { to: 'incident', id: storm.id, why }
      : { to: 'new', id: newId(), storm: { title: say(STORM, language), why } };
  };
}

/** What wakes people up. */
const isGrave = ({ severity }: Pick<Alert, 'severity'>): boolean => severity === 'P1' || severity === 'P2';

/** Services that have alerts in a storm. */
const gathered = (open: readonly OpenIncident[]): readonly string[] =>
  open.flatMap(({ kind, services }) => (kind === 'storm' ? services : []));

/** While it lasts. An alert that still fires when it is over opens an incident like any other. */
function isPlanned({ start, end, services }: MaintenanceWindow, { service }: Alert, at: number): boolean {
  if (at < Date.parse(start) || at > Date.parse(end)) return false;
  return services === undefined || (service !== undefined && services.includes(service));
}

/** Between the start of the alert and that of the incident, or when it became known, whichever is closer. */
function timeApart({ startsAt }: Alert, incident: OpenIncident): number {
  const start = Date.parse(startsAt);
  return Math.min(Math.abs(start - Date.parse(incident.startsAt)), Math.abs(start - incident.createdAt));
}

/** `about`: only where the incident is about this very service, not where the service is merely part of it. */
const sameService = (
  alert: Alert,
  open: readonly OpenIncident[],
  windowMs: number,
  about: boolean,
): OpenIncident | undefined =>
  open
    .filter(
      ({ service, services, byHand }) =>
        alert.service !== undefined &&
        (service === alert.service || (!about && !byHand && services.includes(alert.service))),
    )
    .filter((incident) => timeApart(alert, incident) <= windowMs)
    // An incident that is about this service comes before one that this service only suffers from.
    .toSorted(
      (one, other) =>
        Number(one.service !== alert.service) - Number(other.service !== alert.service) || byAge(one, other),
    )[0];
