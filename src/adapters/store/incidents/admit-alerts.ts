import { tell, type Text } from '#kit/text';
import { type Alert, Alert as AlertRecord, type Incident, type Severity, SEVERITIES } from '#spec/data';
import type { Admission, IncidentStore, OpenIncident } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { IncidentTable, KeptIncident } from './incident-table.ts';

/** Alerts that opened no incident. */
const NOWHERE = 0;
/** An alert that still fires this long after its incident has ended tells of a new one: what was done did not hold. */
const HELD_MS = 10 * 60_000;

interface AlertRow {
  readonly n: number;
  readonly incident: number;
  readonly status: Alert['status'];
  readonly starts_at: string;
}

const AGAIN = {
  resolved: tell('resolved', '已解除'),
  refired: tell('fires again', '再次触发'),
};

type Place = Parameters<IncidentStore['admit']>[1];
type Sender = Pick<Parameters<IncidentStore['admit']>[0], 'source' | 'by'>;

/** Decides what each alert of a delivery is: new, part of something, known, or the end of something. */
export function admitAlerts(connection: Connection, table: IncidentTable) {
  const last = connection.prepare<[string], AlertRow>(
    'SELECT n, incident, status, starts_at FROM alerts WHERE fingerprint = ? ORDER BY incident DESC LIMIT 1',
  );
  const put = connection.prepare(`
    INSERT INTO alerts (incident, fingerprint, status, starts_at, deliveries, at, body)
    VALUES (@incident, @fingerprint, @status, @startsAt, 1, @at, @body)
    ON CONFLICT (fingerprint, incident) DO UPDATE SET
      status = @status, starts_at = @startsAt, deliveries = deliveries + 1, at = @at, body = @body`);
  const again = connection.prepare('UPDATE alerts SET deliveries = deliveries + 1, at = ? WHERE n = ?');
  const counts = connection.prepare<[number], { readonly alerts: number; readonly firing: number }>(
    "SELECT count(*) AS alerts, count(*) FILTER (WHERE status = 'firing') AS firing FROM alerts WHERE incident = ?",
  );

  const keep = (incident: number, alert: Alert, at: number): void => {
    const { fingerprint, status, startsAt } = alert;
    put.run({ incident, fingerprint, status, startsAt, at, body: JSON.stringify(alert) });
  };

  /** Puts an alert into an incident and tells of it. */
  const into = (kept: KeptIncident, alert: Alert, at: number, why: Text): void => {
    keep(kept.n, alert, at);
    const { incident } = kept;
    const services = [...new Set([...incident.services, ...(alert.service ? [alert.service] : [])])];
    const severity = worse(incident.severity, alert.status === 'firing' ? alert.severity : 'P4');
    const { alerts, firing } = counts.get(kept.n) ?? { alerts: 0, firing: 0 };
    table.change(kept, { services, severity, alerts, firing }, at);
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
  };

  const openNew = (id: string, { source, by }: Sender, alert: Alert, at: number): void => {
    const kept = table.add({ ...newIncident(id, alert, at), ...(by === undefined ? {} : { openedBy: by }) });
    keep(kept.n, alert, at);
    const { title, severity, service } = alert;
    table.tell(
      kept.n,
      [
        { type: 'gateway.received', data: { source, alerts: 1 } },
        { type: 'alert.normalized', data: { alert } },
        { type: 'incident.created', data: { title, severity, ...(service ? { service } : {}) } },
      ],
      at,
    );
  };

  const admitNew = (alert: Alert, from: Sender, place: Place, at: number): Admission => {
    const { fingerprint } = alert;
    const open = table.open();
    const placed = place(
      alert,
      open.map(({ incident }): OpenIncident => incident),
    );
    if (placed.to === 'nowhere') {
      keep(NOWHERE, alert, at);
      return { fingerprint, outcome: 'suppressed', why: placed.why };
    }
    if (placed.to === 'incident') {
      into(table.must(placed.id), alert, at, placed.why);
      return { fingerprint, outcome: 'joined', incident: placed.id, why: placed.why };
    }
    openNew(placed.id, from, alert, at);
    return { fingerprint, outcome: 'created', incident: placed.id };
  };

  /** Whether a firing alert is still the one that its last incident was about. */
  const isStill = (row: AlertRow, alert: Alert, { incident }: KeptIncident, at: number): boolean => {
    if (incident.closedAt === undefined) return true;
    if (row.status === 'resolved' || row.starts_at !== alert.startsAt) return false;
    return incident.state === 'closed' || at - incident.closedAt < HELD_MS;
  };

  return (from: Sender, alert: Alert, place: Place, at: number): Admission => {
    const { fingerprint } = alert;
    const row = last.get(fingerprint);
    const kept = row && row.incident !== NOWHERE ? table.at(row.incident) : undefined;
    if (!row || !kept) {
      if (alert.status === 'firing') return admitNew(alert, from, place, at);
      if (row) keep(NOWHERE, alert, at);
      return { fingerprint, outcome: 'known' };
    }
    const { id } = kept.incident;
    if (alert.status === 'firing' && !isStill(row, alert, kept, at)) return admitNew(alert, from, place, at);
    if (row.status === alert.status) {
      again.run(at, row.n);
      return { fingerprint, outcome: 'known', incident: id };
    }
    const outcome = alert.status === 'resolved' ? 'resolved' : 'refired';
    into(kept, alert, at, AGAIN[outcome]);
    return { fingerprint, outcome, incident: id };
  };
}

/** The alerts of an incident, oldest first. */
export function alertReader(connection: Connection) {
  const list = connection
    .prepare<[number], string>('SELECT body FROM alerts WHERE incident = ? ORDER BY n')
    .pluck();
  return (n: number): Alert[] => list.all(n).map((body) => AlertRecord.parse(JSON.parse(body)));
}

const worse = (one: Severity, other: Severity): Severity =>
  SEVERITIES.indexOf(other) < SEVERITIES.indexOf(one) ? other : one;

function newIncident(id: string, alert: Alert, at: number): Incident {
  const { title, severity, service, metric, source, startsAt } = alert;
  return {
    id,
    title,
    severity,
    state: 'investigating',
    ...(service === undefined ? {} : { service }),
    services: service === undefined ? [] : [service],
    ...(metric === undefined ? {} : { metric }),
    source,
    labels: alert.labels,
    startsAt,
    alerts: 1,
    firing: 1,
    round: 0,
    createdAt: at,
    updatedAt: at,
  };
}
