import type { Alert, Incident } from '#spec/data';
import type { Connection } from '../sqlite/connection.ts';
import { incidentTable } from './incident-table.ts';

/** An incident with everything that was kept about it. */
export interface IncidentCopy {
  readonly incident: Incident;
  readonly alerts: readonly Alert[];
  readonly facts: readonly { readonly type: string; readonly at: string; readonly data: unknown }[];
}

/** Puts a copy in as it was. False: there is one of this id already. To be called within a transaction. */
export function restoreIncident(connection: Connection): (copy: IncidentCopy) => boolean {
  const table = incidentTable(connection);
  const addAlert = connection.prepare(`
    INSERT INTO alerts (incident, fingerprint, status, starts_at, deliveries, at, body)
    VALUES (@n, @fingerprint, @status, @startsAt, 1, @at, @body)`);
  const addFact = connection.prepare(`
    INSERT INTO facts (incident, seq, id, at, type, data) VALUES (@n, @seq, @id, @at, @type, @data)`);
  return ({ incident, alerts, facts }) => {
    if (table.get(incident.id)) return false;
    const { n } = table.add(incident);
    for (const alert of alerts) {
      const { fingerprint, status, startsAt } = alert;
      addAlert.run({ n, fingerprint, status, startsAt, at: incident.updatedAt, body: JSON.stringify(alert) });
    }
    for (const [index, { type, at, data }] of facts.entries()) {
      const seq = index + 1;
      const id = `${incident.id}:${seq}`;
      addFact.run({ n, seq, id, at: Date.parse(at), type, data: JSON.stringify(data ?? null) });
    }
    return true;
  };
}
