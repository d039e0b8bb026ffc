import { heardIn } from '#kit/heard-in';
import { tell, type Text } from '#kit/text';
import type { Alert, Incident } from '#spec/data';
import type { Admission, IncidentStore, OpenIncident, Placement } from '#spec/ports';
import type { AlertRow, AlertTable } from './alert-table.ts';
import { type IncidentTable, type KeptIncident, standingOf } from './incident-table.ts';
import { mergeIncidents, MOST_SERVICES, worse } from './merge-incidents.ts';
import { newIncident } from './new-incident.ts';

/** Alerts that opened no incident. */
const NOWHERE = 0;
/** An alert that still fires this long after its incident has ended tells of a new one: what was done did not hold. */
const HELD_MS = 10 * 60_000;
/** Up to so many alerts of an incident are kept whole and told of one by one; then only those of a new kind, then counts. */
const WHOLE = 200;
const NEW_KINDS = 500;

const AGAIN = {
  resolved: tell('resolved', '已解除'),
  refired: tell('fires again', '再次触发'),
};

type Delivery = Parameters<IncidentStore['admit']>[0];
type Place = Parameters<IncidentStore['admit']>[1];

/** Decides what each alert of a delivery is: new, part of something, known, or the end of something. */
export function admitAlerts(table: IncidentTable, alerts: AlertTable) {
  const merge = mergeIncidents(table, alerts);

  /** Puts an alert into an incident and tells of it. */
  const into = (kept: KeptIncident, alert: Alert, at: number, why: Text): Incident => {
    const { incident } = kept;
    const singular =
      incident.alerts < WHOLE || (incident.alerts < NEW_KINDS && !alerts.hasKind(kept.n, alert));
    const added = alerts.keep(kept.n, alert, at, { whole: singular, why });
    const services = withService(incident.services, alert.service);
    const severity = worse(incident.severity, alert.status === 'firing' ? alert.severity : 'P4');
    const patch = {
      services,
      heard: added.alerts === 0 ? incident.heard : hearing(incident, alert, services),
      severity,
      alerts: incident.alerts + added.alerts,
      firing: incident.firing + added.firing,
    };
    const changed = table.change(kept, patch, at);
    if (singular)
      table.tell(
        kept.n,
        [
          { type: 'alert.normalized', data: { alert } },
          {
            type: 'incident.updated',
            data: { what: tell(`${alert.title}: ${why.en}`, `${alert.title}:${why.zh}`) },
          },
        ],
        at,
      );
    return changed.incident;
  };

  const openNew = (
    { id, storm }: Extract<Placement, { to: 'new' }>,
    { source, by, told }: Delivery,
    alert: Alert,
    at: number,
  ): Incident => {
    const { incident, n } = table.add({
      ...newIncident(id, alert, at),
      ...(by === undefined ? {} : { openedBy: by }),
      ...(told === undefined ? {} : { byHand: true }),
      ...(storm ? { title: storm.title, kind: 'storm' as const } : {}),
    });
    alerts.keep(n, alert, at, { whole: true, why: storm?.why });
    const { title, severity, service } = incident;
    table.tell(
      n,
      [
        { type: 'gateway.received', data: { source, alerts: 1 } },
        { type: 'alert.normalized', data: { alert } },
        { type: 'incident.created', data: { title, severity, ...(service ? { service } : {}) } },
      ],
      at,
    );
    return incident;
  };

  const admitNew = (alert: Alert, from: Delivery, place: Place, at: number, open: OpenOnes): Admission => {
    const { fingerprint } = alert;
    const placed = place(alert, open.list(), from.told);
    if (placed.to === 'nowhere') {
      alerts.keep(NOWHERE, alert, at, { whole: true });
      return { fingerprint, outcome: 'suppressed', why: placed.why };
    }
    if (placed.to === 'new') {
      open.set(openNew(placed, from, alert, at));
      return { fingerprint, outcome: 'created', incident: placed.id };
    }
    const { id, why } = placed;
    for (const other of placed.merge ?? []) {
      merge(other.id, id, other.why, at);
      open.drop(other.id);
    }
    open.set(into(table.must(id), alert, at, why));
    const merged = placed.merge?.map((other) => other.id);
    return { fingerprint, outcome: 'joined', incident: id, why, ...(merged ? { merged } : {}) };
  };

  /** Whether a firing alert is still the one that its last incident was about. */
  const isStill = (row: AlertRow, alert: Alert, { incident }: KeptIncident, at: number): boolean => {
    if (incident.closedAt === undefined) return true;
    if (row.status === 'resolved' || row.starts_at !== alert.startsAt) return false;
    return incident.state === 'closed' || at - incident.closedAt < HELD_MS;
  };

  const admit = (from: Delivery, alert: Alert, place: Place, at: number, open: OpenOnes): Admission => {
    const { fingerprint } = alert;
    const row = alerts.last(fingerprint);
    const kept = row && row.incident !== NOWHERE ? table.at(row.incident) : undefined;
    if (!row || !kept) {
      if (alert.status === 'firing') return admitNew(alert, from, place, at, open);
      if (row) alerts.keep(NOWHERE, alert, at, { whole: true });
      return { fingerprint, outcome: 'known' };
    }
    const { id } = kept.incident;
    if (alert.status === 'firing' && !isStill(row, alert, kept, at))
      return admitNew(alert, from, place, at, open);
    if (row.status === alert.status) {
      alerts.again(row, at);
      return { fingerprint, outcome: 'known', incident: id };
    }
    const outcome = alert.status === 'resolved' ? 'resolved' : 'refired';
    const changed = into(kept, alert, at, AGAIN[outcome]);
    if (changed.closedAt === undefined) open.set(changed);
    return { fingerprint, outcome, incident: id };
  };

  return (delivery: Delivery, place: Place, at: number): Admission[] => {
    const open = openOnes(table);
    return delivery.alerts.map((alert) => admit(delivery, alert, place, at, open));
  };
}

type OpenOnes = ReturnType<typeof openOnes>;

/** The open incidents while a delivery is taken in: read once, and only when an alert needs a place. */
function openOnes(table: IncidentTable) {
  let known: Map<string, OpenIncident> | undefined;
  return {
    list: (): OpenIncident[] => {
      known ??= new Map(table.open().map((incident) => [incident.id, incident]));
      return [...known.values()];
    },
    set: (incident: Incident): void => void known?.set(incident.id, standingOf(incident)),
    drop: (id: string): void => void known?.delete(id),
  };
}

/** Of services that are not listed nothing is kept. */
function hearing({ heard = {} }: Incident, alert: Alert, services: readonly string[]): Incident['heard'] {
  const { service } = alert;
  if (service === undefined || !services.includes(service)) return heard;
  return { ...heard, [service]: (heard[service] ?? 0) + heardIn(alert) };
}

const withService = (services: readonly string[], service: string | undefined): string[] =>
  service === undefined || services.includes(service) || services.length >= MOST_SERVICES
    ? [...services]
    : [...services, service];
