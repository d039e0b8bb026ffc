import { Incident } from '#spec/data';
import type { IncidentFilter, IncidentGroups, IncidentLists, IncidentStore } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';
import { admitAlerts } from './admit-alerts.ts';
import { alertTable } from './alert-table.ts';
import { historyReader } from './incident-histories.ts';
import { groupingRules } from './grouping-rules.ts';
import { mergeIncidents, moveAlerts } from './merge-incidents.ts';
import { SUMMARY, type SummaryRow, summaryOf } from './incident-summary.ts';
import { type FactRow, factOf, incidentTable } from './incident-table.ts';

const LISTED = `
  FROM incidents
  WHERE (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
    AND (@service IS NULL OR service = @service
      OR EXISTS (SELECT 1 FROM json_each(body, '$.services') WHERE value = @service))
    AND (@text IS NULL OR instr(lower(title || ' ' || id || ' ' || coalesce(service, '')), lower(@text)) > 0)
    AND created_at >= @from AND created_at < @before
    AND (@parts OR state <> 'closed' OR body ->> '$.mergedInto' IS NULL)
  ORDER BY created_at DESC, n DESC LIMIT @limit`;
const FACTS = `
  SELECT facts.n, seq, facts.id, at, type, data, incidents.id AS stream
  FROM facts JOIN incidents ON incidents.n = facts.incident`;

export function incidentStore(
  connection: Connection,
  queue: WriteQueue,
): IncidentStore & IncidentLists & IncidentGroups {
  const table = incidentTable(connection);
  const kept = alertTable(connection);
  const admit = admitAlerts(table, kept);
  const merge = mergeIncidents(table, kept);
  const move = moveAlerts(table, kept);
  const rules = groupingRules(connection);
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
    admit: (delivery, place, at) => queue.write(() => admit(delivery, place, at)),
    get: (id) => queue.read(() => table.get(id)?.incident),
    list: (filter) =>
      queue.read(() => list.all(askedFor(filter)).map((body) => Incident.parse(JSON.parse(body)))),
    summaries: (filter) => queue.read(() => summaries.all(askedFor(filter)).map(summaryOf)),
    histories: (asked) => queue.read(() => histories(asked)),
    alerts: (id) =>
      queue.read(() => {
        const found = table.get(id);
        return found ? kept.list(found.n) : [];
      }),
    members: (id) =>
      queue.read(() => {
        const found = table.get(id);
        return found ? kept.members(found.n) : [];
      }),
    merge: (from, into, why, at) => queue.write(() => merge(from, into, why, at)),
    move: (from, which, into, why, at) => queue.write(() => move(from, which, into, why, at)),
    rules: () => queue.read(rules.list),
    addRule: (rule) => queue.write(() => rules.add(rule)),
    removeRule: (id) => queue.write(() => rules.remove(id)),
    past: ({ from, limit }) => queue.read(() => kept.past(from, limit)),
    record: (id, { key, facts, patch = {} }, at) =>
      queue.write(() => {
        const found = table.must(id);
        if (!table.mark(found.n, key)) return found.incident;
        // What has ended stays as it ended, also where a stage was still at work on it.
        const { state: _, note: __, ...rest } = patch;
        const { incident } = table.change(found, found.incident.closedAt === undefined ? patch : rest, at);
        table.tell(found.n, facts, at);
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
  parts = false,
  limit,
}: IncidentFilter) => ({
  states: states ? JSON.stringify(states) : null,
  service: service ?? null,
  text: text ?? null,
  from,
  before,
  parts: Number(parts),
  limit,
});
