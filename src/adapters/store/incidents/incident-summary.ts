import { IncidentSummary } from '#spec/data';

export interface SummaryRow {
  readonly summary: string;
}

/** Of the record, what lists show: the rest, which is most of it, never leaves the database. */
export const SUMMARY = `json_object(
    'id', id,
    'title', title,
    'severity', body ->> '$.severity',
    'state', state,
    'note', json_extract(body, '$.note'),
    'service', service,
    'services', json_extract(body, '$.services'),
    'startsAt', body ->> '$.startsAt',
    'alerts', body ->> '$.alerts',
    'firing', body ->> '$.firing',
    'kind', body ->> '$.kind',
    'mergedInto', body ->> '$.mergedInto',
    'createdAt', created_at,
    'updatedAt', body ->> '$.updatedAt',
    'closedAt', body ->> '$.closedAt',
    'verdict', body ->> '$.rca.status',
    'cause', iif(body ->> '$.rca.status' = 'concluded', body ->> '$.rca.hypotheses[0].category', NULL),
    'blamed', iif(body ->> '$.rca.status' = 'concluded', body ->> '$.rca.hypotheses[0].service', NULL)
  ) AS summary`;

/** SQL says null where a record says nothing. */
export function summaryOf({ summary }: SummaryRow): IncidentSummary {
  const said = Object.entries(JSON.parse(summary) as object).filter(([, value]) => value !== null);
  return IncidentSummary.parse(Object.fromEntries(said));
}
