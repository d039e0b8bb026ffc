import { tell, type Text } from '#kit/text';
import type { Alert, MaintenanceWindow, Topology } from '#spec/data';
import type { OpenIncident, Placement } from '#spec/ports';
import { callDistance, type Distance } from './call-distance.ts';

export interface PlaceOptions {
  readonly topology: Topology;
  readonly maintenance: readonly MaintenanceWindow[];
  /** Alerts that began this close together may be one incident. */
  readonly windowMs?: number;
  /** The same for alerts of the very service: rules about one fault wait for different times before they fire. */
  readonly serviceWindowMs?: number;
  /** So many new incidents within a window are a storm that grouping could not see through; no more are opened. */
  readonly storm?: number;
  readonly now: () => number;
  readonly newId: () => string;
}

type Place = (alert: Alert, open: readonly OpenIncident[]) => Placement;

const WINDOW_MS = 10 * 60_000;
const SERVICE_WINDOW_MS = 60 * 60_000;
const STORM = 50;
/** Whoever is this many calls away may suffer from the same fault. */
const NEAR_CALLS = 2;
/** So many incidents of one time among services that calls connect are a storm: further ones join the nearest. */
const CONNECTED_STORM = 5;

/**
 * Where an alert belongs that no open incident has: to one of the same time whose services are near, else to a new one.
 * Quick: it is asked within a transaction, up to a thousand times.
 */
export function placeAlert({
  topology,
  maintenance,
  windowMs = WINDOW_MS,
  serviceWindowMs = SERVICE_WINDOW_MS,
  storm = STORM,
  now,
  newId,
}: PlaceOptions): Place {
  const distance = callDistance(topology);
  return (alert, open) => {
    const at = now();
    const planned = maintenance.find((window) => isPlanned(window, alert, at));
    if (planned)
      return { to: 'nowhere', why: tell(`Maintenance: ${planned.name}`, `计划维护:${planned.name}`) };
    const near = open.filter((incident) => timeApart(alert, incident) <= windowMs);
    const joined =
      alert.service === undefined
        ? sameKind(alert, near)
        : (sameService(alert.service, open, (one) => timeApart(alert, one) <= serviceWindowMs) ??
          nearService(alert.service, near, distance));
    if (joined) return joined;
    const young = open.filter(({ createdAt }) => at - createdAt <= windowMs);
    if (young.length < storm) return { to: 'new', id: newId() };
    const largest = best(young, ({ alerts }) => -alerts);
    return largest
      ? {
          to: 'incident',
          id: largest.id,
          why: tell(
            `a storm: ${young.length} incidents were opened within minutes`,
            `告警风暴:几分钟内建立了 ${young.length} 个事故`,
          ),
        }
      : { to: 'new', id: newId() };
  };
}

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

function sameService(
  service: string,
  open: readonly OpenIncident[],
  isClose: (incident: OpenIncident) => boolean,
): Placement | undefined {
  const found = best(
    open.filter((incident) => incident.services.includes(service) && isClose(incident)),
    // An incident that is about this service comes before one that this service only suffers from.
    (incident) => (incident.service === service ? 0 : 1),
  );
  return (
    found && {
      to: 'incident',
      id: found.id,
      why: tell(`${service} is part of it`, `${service} 是其中一部分`),
    }
  );
}

function nearService(
  service: string,
  near: readonly OpenIncident[],
  distance: Distance,
): Placement | undefined {
  const reached = near.flatMap((incident) => {
    const ways = incident.services.flatMap((other) => {
      const calls = distance(service, other);
      return calls === undefined ? [] : [{ calls, other }];
    });
    const [nearest] = ways.toSorted((a, b) => a.calls - b.calls);
    return nearest ? [{ ...incident, ...nearest }] : [];
  });
  const found = best(reached, ({ calls }) => calls);
  if (!found || (found.calls > NEAR_CALLS && reached.length < CONNECTED_STORM)) return undefined;
  const apart = tell(
    `${service} and ${found.other} are ${found.calls === 1 ? 'one call' : `${found.calls} calls`} apart`,
    `${service} 与 ${found.other} 相隔 ${found.calls} 次调用`,
  );
  const why =
    found.calls > NEAR_CALLS
      ? tell(`a storm among connected services: ${apart.en}`, `相连服务之间的告警风暴:${apart.zh}`)
      : apart;
  return { to: 'incident', id: found.id, why };
}

const ELSEWHERE = tell('the same alert elsewhere', '其他地方的同一告警');

/**
 * For an alert that names no service: the one incident with the same name and cluster, else with the same name, else
 * with the same cluster. Where two would fit, neither is taken.
 */
function sameKind(alert: Alert, near: readonly OpenIncident[]): Placement | undefined {
  const [name, cluster] = kindOf(alert);
  const fitting: readonly [Text, (incident: OpenIncident) => boolean][] = [
    [ELSEWHERE, (incident) => incident.service === undefined && sameTexts(kindOf(incident), [name, cluster])],
    [
      ELSEWHERE,
      (incident) => {
        const [itsName, itsCluster] = kindOf(incident);
        return (
          itsName === name && (cluster === undefined || itsCluster === undefined || itsCluster === cluster)
        );
      },
    ],
    [
      tell(`the same cluster, ${cluster}`, `同一集群 ${cluster}`),
      (incident) => cluster !== undefined && kindOf(incident)[1] === cluster,
    ],
  ];
  for (const [why, fits] of fitting) {
    const [only, second] = near.filter(fits);
    if (only && !second) return { to: 'incident', id: only.id, why };
  }
  return undefined;
}

const kindOf = ({
  title,
  labels = {},
}: {
  readonly title: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}): readonly [string, string | undefined] => [labels['alertname'] ?? title, labels['cluster']];

const sameTexts = (
  [name, cluster]: readonly [string, string | undefined],
  [otherName, otherCluster]: readonly [string, string | undefined],
): boolean => name === otherName && cluster === otherCluster;

/** The one that costs least; of equals the oldest. */
const best = <T extends Pick<OpenIncident, 'id' | 'createdAt'>>(
  candidates: readonly T[],
  cost: (candidate: T) => number,
): T | undefined =>
  candidates.toSorted((a, b) => cost(a) - cost(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))[0];
