import { Incident } from '#spec/data';
import type { IncidentFilter, IncidentLists, IncidentStore } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';
import { admitAlerts, alertReader } from './admit-alerts.ts';
import { historyReader } from './incident-histories.ts';
import { SUMMARY, type SummaryRow, summaryOf } from './incident-summary.ts';
import { type FactRow, factOf, incidentTable } from './incident-table.ts';

const LISTED = `
  FROM incidents
  WHERE (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
    AND (@service IS NULL OR service = @service
      OR EXISTS (SELECT 1 FROM json_each(body, '$.services') WHERE value = @service))
    AND (@text IS NULL OR instr(lower(title || ' ' || id || ' ' || coalesce(service, '')), lower(@text)) > 0)
    AND created_at >= @from AND created_at < @before
  ORDER BY created_at DESC, n DESC LIMIT @limit`;
const FACTS = `
  SELECT facts.n, seq, facts.id, at, type, data, incidents.id AS stream
  FROM facts JOIN incidents ON incidents.n = facts.incident`;

export function incidentStore(connection: Connection, queue: WriteQueue): IncidentStore & IncidentLists {
  const table = incidentTable(connection);
  const admit = admitAlerts(connection, table);
  const alertsOf = alertReader(connection);
  const list = connection.prepare<[object], string>(`SELECT body ${LISTED}`).pluck();
  const summaries = connection.prepare<[object], SummaryRow>(`SELECT ${SUMMARY} ${LISTED}`);
  const histories = historyReader(connection);
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
    list: (filter) =>
      queue.read(() => list.all(askedFor(filter)).map((body) => Incident.parse(JSON.parse(body)))),
    summaries: (filter) => queue.read(() => summaries.all(askedFor(filter)).map(summaryOf)),
    histories: (asked) => queue.read(() => histories(asked)),
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

const askedFor = ({
  states,
  service,
  text,
  from = 0,
  before = Number.MAX_SAFE_INTEGER,
  limit,
}: IncidentFilter) => ({
  states: states ? JSON.stringify(states) : null,
  service: service ?? null,
  text: text ?? null,
  from,
  before,
  limit,
});
