import { Incident } from '#spec/data';
import type { IncidentStore } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';
import { admitAlerts, alertReader } from './admit-alerts.ts';
import { type FactRow, factOf, incidentTable } from './incident-table.ts';

const LIST = `
  SELECT body FROM incidents
  WHERE (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
    AND (@service IS NULL OR service = @service
      OR EXISTS (SELECT 1 FROM json_each(body, '$.services') WHERE value = @service))
    AND (@text IS NULL OR instr(lower(title || ' ' || id || ' ' || coalesce(service, '')), lower(@text)) > 0)
    AND created_at < @before
  ORDER BY created_at DESC, n DESC LIMIT @limit`;
const FACTS = `
  SELECT facts.n, seq, facts.id, at, type, data, incidents.id AS stream
  FROM facts JOIN incidents ON incidents.n = facts.incident`;

export function incidentStore(connection: Connection, queue: WriteQueue): IncidentStore {
  const table = incidentTable(connection);
  const admit = admitAlerts(connection, table);
  const alertsOf = alertReader(connection);
  const list = connection.prepare<[object], string>(LIST).pluck();
  const factsOf = connection.prepare<[string, number, number], FactRow>(
    `${FACTS} WHERE incidents.id = ? AND seq > ? ORDER BY seq LIMIT ?`,
  );
  const newsAfter = connection.prepare<[number, number], FactRow>(
    `${FACTS} WHERE facts.n > ? ORDER BY facts.n LIMIT ?`,
  );
  const last = connection.prepare<[], FactRow>(`${FACTS} ORDER BY facts.n DESC LIMIT 1`);
  return {
    admit: (delivery, place, at) =>
      queue.write(() => delivery.alerts.map((alert) => admit(delivery, alert, place, at))),
    get: (id) => queue.read(() => table.get(id)?.incident),
    list: ({ states, service = null, text = null, before = Number.MAX_SAFE_INTEGER, limit }) =>
      queue.read(() =>
        list
          .all({ states: states ? JSON.stringify(states) : null, service, text, before, limit })
          .map((body) => Incident.parse(JSON.parse(body))),
      ),
    alerts: (id) =>
      queue.read(() => {
        const kept = table.get(id);
        return kept ? alertsOf(kept.n) : [];
      }),
    record: (id, { key, facts, patch = {} }, at) =>
      queue.write(() => {
        const kept = table.must(id);
        if (!table.mark(kept.n, key)) return kept.incident;
        const { incident } = table.change(kept, patch, at);
        table.tell(kept.n, facts, at);
        return incident;
      }),
    facts: (id, afterSeq, limit) => queue.read(() => factsOf.all(id, afterSeq, limit).map(factOf)),
    news: (after, limit) =>
      queue.read(() =>
        (after === 'last' ? last.all() : newsAfter.all(after, limit)).map((row) => ({
          n: row.n,
          fact: factOf(row),
        })),
      ),
  };
}
