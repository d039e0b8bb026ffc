import type { Topology } from '#spec/data';
import type { Storm } from '#testkit/simulator';

export interface GroupingScore {
  /** Of the pairs that were put together, the share that belongs together. */
  readonly precision: number;
  /** Of the pairs that belong together, the share that was put together. */
  readonly recall: number;
  /** Grave alerts in an incident with none of whose other services any calls connect theirs. */
  readonly swallowed: number;
  readonly incidents: number;
}

/** How well alerts were grouped. Pairs are counted among alerts with exactly one cause: of the others either place is right. */
export function scoreGrouping(
  { alerts, topology }: Storm,
  incidentOf: (fingerprint: string) => string,
): GroupingScore {
  const judged = alerts
    .filter(({ causes }) => causes.length === 1)
    .map(({ alert, causes }) => ({ cause: causes[0] ?? '', incident: incidentOf(alert.fingerprint) }));
  const right = pairs(judged, ({ cause, incident }) => `${incident}\n${cause}`);
  const made = pairs(judged, ({ incident }) => incident);
  const meant = pairs(judged, ({ cause }) => cause);
  const services = new Map<string, Set<string>>();
  for (const { alert } of alerts) {
    const id = incidentOf(alert.fingerprint);
    services.set(id, (services.get(id) ?? new Set()).add(alert.service ?? ''));
  }
  const connected = closure(topology);
  const swallowed = alerts.filter(({ alert: { service = '', severity, fingerprint } }) => {
    const others = [...(services.get(incidentOf(fingerprint)) ?? [])].filter((one) => one !== service);
    return (
      (severity === 'P1' || severity === 'P2') &&
      others.length > 0 &&
      !others.some((other) => connected(service, other) || connected(other, service))
    );
  }).length;
  return {
    precision: made === 0 ? 1 : right / made,
    recall: meant === 0 ? 1 : right / meant,
    swallowed,
    incidents: services.size,
  };
}

function pairs<T>(items: readonly T[], keyOf: (item: T) => string): number {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
}

/** Whether calls lead from one service to another, through however many. */
function closure({ edges }: Topology): (from: string, to: string) => boolean {
  const callees = Map.groupBy(edges, ({ from }) => from);
  const reached = new Map<string, ReadonlySet<string>>();
  const from = (service: string): ReadonlySet<string> => {
    const found = new Set([service]);
    for (const one of found) for (const { to } of callees.get(one) ?? []) found.add(to);
    return found;
  };
  return (one, other) => {
    const known = reached.get(one) ?? from(one);
    reached.set(one, known);
    return known.has(other);
  };
}
