import type { IncidentHistory, IncidentLists } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import { SUMMARY, type SummaryRow, summaryOf } from './incident-summary.ts';
import { type FactRow, factOf } from './incident-table.ts';

interface HistoryRow extends SummaryRow {
  readonly n: number;
  readonly deliveries: number;
}

const TOUCHED = `
  SELECT n, ${SUMMARY},
    (SELECT coalesce(sum(deliveries), 0) FROM alerts WHERE alerts.incident = incidents.n) AS deliveries
  FROM incidents
  WHERE n IN (SELECT incident FROM facts WHERE at >= @from AND at < @to)
  ORDER BY created_at, n LIMIT @limit`;
const FACTS = `
  SELECT facts.n, seq, facts.id, at, type, data, '' AS stream FROM facts
  WHERE incident = @n AND type IN (SELECT value FROM json_each(@types))
  ORDER BY seq`;

/** Incidents to which something happened in a stretch of time. To be called within a transaction. */
export function historyReader(
  connection: Connection,
): (asked: Parameters<IncidentLists['histories']>[0]) => IncidentHistory[] {
  const touched = connection.prepare<[object], HistoryRow>(TOUCHED);
  const factsOf = connection.prepare<[object], FactRow>(FACTS);
  return ({ types, ...asked }) => {
    const wanted = JSON.stringify(types);
    return touched.all(asked).map((row) => {
      const incident = summaryOf(row);
      const facts = factsOf.all({ n: row.n, types: wanted });
      return {
        incident,
        deliveries: row.deliveries,
        facts: facts.map((fact) => factOf({ ...fact, stream: incident.id })),
      };
    });
  };
}
