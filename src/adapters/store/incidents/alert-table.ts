import { ENOUGH_HEARD } from '#kit/heard-in';
import type { Text } from '#kit/text';
import { Alert as AlertRecord, type Alert, IncidentMember, type Severity } from '#spec/data';
import type { AlertsOf } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';

export interface AlertRow {
  readonly n: number;
  readonly incident: number;
  readonly status: Alert['status'];
  readonly starts_at: string;
}

/** So many alerts of an incident are listed: as many of the first as of the last. */
const LISTED = 500;
const MEMBERS = 500;
/** What tells alerts of one kind apart; of one that is kept in short, the other labels are left out. */
const TELLING = ['alertname', 'cluster', 'namespace', 'service', 'severity', 'pod', 'instance', 'job'];

const NAME = `coalesce(body ->> '$.labels.alertname', body ->> '$.title')`;

export type AlertTable = ReturnType<typeof alertTable>;

/** The alerts of all incidents. To be called within a transaction. */
export function alertTable(connection: Connection) {
  const last = connection.prepare<[string], AlertRow>(
    'SELECT n, incident, status, starts_at FROM alerts WHERE fingerprint = ? ORDER BY n DESC LIMIT 1',
  );
  const held = connection
    .prepare<[number, string], Alert['status']>(
      'SELECT status FROM alerts WHERE incident = ? AND fingerprint = ?',
    )
    .pluck();
  const ofKind = connection
    .prepare<[number, string], number>('SELECT 1 FROM alerts WHERE incident = ? AND kind = ? LIMIT 1')
    .pluck();
  const put = connection.prepare(`
    INSERT INTO alerts (incident, fingerprint, status, starts_at, deliveries, at, body, kind, why)
    VALUES (@incident, @fingerprint, @status, @startsAt, 1, @at, @body, @kind, @why)
    ON CONFLICT (fingerprint, incident) DO UPDATE SET
      status = @status, starts_at = @startsAt, deliveries = deliveries + 1, at = @at, body = @body`);
  const again = connection.prepare('UPDATE alerts SET deliveries = deliveries + 1, at = ? WHERE n = ?');
  const counts = connection.prepare<[number], { readonly alerts: number; readonly firing: number }>(
    "SELECT count(*) AS alerts, count(*) FILTER (WHERE status = 'firing') AS firing FROM alerts WHERE incident = ?",
  );
  // Where both have the same alert, the one that is there already stays.
  const move = connection.prepare(
    'UPDATE OR IGNORE alerts SET incident = ?, why = coalesce(why, ?) WHERE incident = ?',
  );
  const WHICH = `incident = @from AND (@service IS NULL OR body ->> '$.service' = @service)
    AND (@name IS NULL OR ${NAME} = @name)`;
  const moveSome = connection.prepare<[object]>(
    `UPDATE OR IGNORE alerts SET incident = @to, why = @why WHERE ${WHICH}`,
  );
  const dropSome = connection.prepare<[object]>(`DELETE FROM alerts WHERE ${WHICH}`);
  const firstSome = connection
    .prepare<[object], string>(`SELECT body FROM alerts WHERE ${WHICH} ORDER BY n LIMIT 1`)
    .pluck();
  const worst = connection
    .prepare<[number], Severity>("SELECT min(body ->> '$.severity') FROM alerts WHERE incident = ?")
    .pluck();
  const heard = connection.prepare<[number, number], { service: string; heard: number }>(
    `SELECT body ->> '$.service' AS service,
       sum(iif(body ->> '$.severity' IN ('P1', 'P2'), ${ENOUGH_HEARD}, 1)) AS heard
     FROM alerts WHERE incident = ? AND service IS NOT NULL GROUP BY service ORDER BY min(n) LIMIT ?`,
  );
  const past = connection.prepare<[number, number], { body: string; at: number; incident: string }>(
    `SELECT alerts.body, min(alerts.at, unixepoch(starts_at) * 1000.0) AS at, incidents.id AS incident
     FROM alerts JOIN incidents ON incidents.n = alerts.incident
     WHERE alerts.at >= ? ORDER BY at, alerts.n LIMIT ?`,
  );
  const drop = connection.prepare('DELETE FROM alerts WHERE incident = ?');
  const firsts = connection
    .prepare<[number, number], string>('SELECT body FROM alerts WHERE incident = ? ORDER BY n LIMIT ?')
    .pluck();
  const lasts = connection
    .prepare<[number, number], string>('SELECT body FROM alerts WHERE incident = ? ORDER BY n DESC LIMIT ?')
    .pluck();
  const members = connection
    .prepare<[number, number], string>(
      `SELECT json_object(
         'name', name, 'service', service, 'severity', severity, 'alerts', alerts, 'firing', firing,
         'firstAt', first_at, 'lastAt', last_at, 'why', json((SELECT why FROM alerts WHERE n = first)))
       FROM (
         SELECT min(n) AS first, ${NAME} AS name, body ->> '$.service' AS service,
           min(body ->> '$.severity') AS severity, count(*) AS alerts,
           count(*) FILTER (WHERE status = 'firing') AS firing,
           min(starts_at) AS first_at, max(starts_at) AS last_at
         FROM alerts WHERE incident = ? GROUP BY name, service
       ) ORDER BY first LIMIT ?`,
    )
    .pluck();

  return {
    /** Where this alert was last. */
    last: (fingerprint: string): AlertRow | undefined => last.get(fingerprint),
    again: (row: AlertRow, at: number): void => void again.run(at, row.n),
    hasKind: (incident: number, alert: Alert): boolean => ofKind.get(incident, kindOf(alert)) !== undefined,
    /** What it adds to the counts of its incident. */
    keep: (
      incident: number,
      alert: Alert,
      at: number,
      { whole, why }: { readonly whole: boolean; readonly why?: Text | undefined },
    ): { readonly alerts: number; readonly firing: number } => {
      const { fingerprint, status, startsAt } = alert;
      const before = held.get(incident, fingerprint);
      put.run({
        incident,
        fingerprint,
        status,
        startsAt,
        at,
        body: JSON.stringify(whole ? alert : inShort(alert)),
        kind: kindOf(alert),
        why: why === undefined ? null : JSON.stringify(why),
      });
      return {
        alerts: before === undefined ? 1 : 0,
        firing: Number(status === 'firing') - Number(before === 'firing'),
      };
    },
    /** All alerts of one incident into another; those that came for no other reason come for this one. */
    moveAll: (from: number, to: number, why: Text): { readonly alerts: number; readonly firing: number } => {
      move.run(to, JSON.stringify(why), from);
      drop.run(from);
      return counts.get(to) ?? { alerts: 0, firing: 0 };
    },
    /** The first alert of those that are meant. */
    first: (from: number, which: AlertsOf): Alert | undefined => {
      const body = firstSome.get(chosen(from, which));
      return body === undefined ? undefined : AlertRecord.parse(JSON.parse(body));
    },
    moveSome: (from: number, which: AlertsOf, to: number, why: Text): void => {
      moveSome.run({ ...chosen(from, which), to, why: JSON.stringify(why) });
      dropSome.run(chosen(from, which));
    },
    /** What an incident is by the alerts that it holds. */
    sum: (incident: number, most: number) => {
      const said = heard.all(incident, most);
      return {
        ...(counts.get(incident) ?? { alerts: 0, firing: 0 }),
        severity: worst.get(incident) ?? ('P4' as const),
        services: said.map(({ service }) => service),
        heard: Object.fromEntries(said.map((one) => [one.service, one.heard])),
      };
    },
    past: (from: number, limit: number) =>
      past
        .all(from, limit)
        .map(({ body, at, incident }) => ({ alert: AlertRecord.parse(JSON.parse(body)), at, incident })),
    /** Oldest first. */
    list: (incident: number): Alert[] => {
      const head = firsts.all(incident, LISTED);
      const bodies =
        head.length < LISTED
          ? head
          : [...head.slice(0, LISTED / 2), ...lasts.all(incident, LISTED / 2).toReversed()];
      return bodies.map((body) => AlertRecord.parse(JSON.parse(body)));
    },
    members: (incident: number): IncidentMember[] =>
      members.all(incident, MEMBERS).map((row) => {
        const said = Object.entries(JSON.parse(row) as object).filter(([, value]) => value !== null);
        return IncidentMember.parse(Object.fromEntries(said));
      }),
  };
}

const chosen = (from: number, { service, name }: AlertsOf) => ({
  from,
  service: service ?? null,
  name: name ?? null,
});

const kindOf = ({ service = '', title, labels }: Alert): string =>
  JSON.stringify([service, labels['alertname'] ?? title]);

/** What is left of an alert that says the same as many others of its incident. */
const inShort = (whole: Alert): Alert => {
  const { link: _link, ...alert } = whole;
  return {
    ...alert,
    labels: Object.fromEntries(
      TELLING.flatMap((name) => (name in alert.labels ? [[name, alert.labels[name] ?? '']] : [])),
    ),
    // Where it can be seen stays with those that are kept whole.
    annotations: {},
  };
};
