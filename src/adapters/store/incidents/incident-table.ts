import { randomUUID } from 'node:crypto';
import { fail } from '#kit/app-error';
import { ENDED_STATES, FACT_SENTENCES, Incident, type IncidentFact } from '#spec/data';
import type { IncidentPatch, NewFact, OpenIncident } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';

export interface FactRow {
  readonly n: number;
  readonly seq: number;
  readonly id: string;
  readonly at: number;
  readonly type: string;
  readonly data: string;
  readonly stream: string;
}

export interface KeptIncident {
  readonly n: number;
  readonly incident: Incident;
}

export type IncidentTable = ReturnType<typeof incidentTable>;

/** Incidents and their facts. To be called within a transaction. */
export function incidentTable(connection: Connection) {
  const byId = connection.prepare<[string], { n: number; body: string }>(
    'SELECT n, body FROM incidents WHERE id = ?',
  );
  const byNumber = connection.prepare<[number], { n: number; body: string }>(
    'SELECT n, body FROM incidents WHERE n = ?',
  );
  // What an earlier version wrote has the whole record only.
  const open = connection
    .prepare<[], string>('SELECT coalesce(standing, body) FROM incidents WHERE ended = 0 ORDER BY n')
    .pluck();
  const insert = connection.prepare(`
    INSERT INTO incidents (id, ended, state, service, title, created_at, body, standing)
    VALUES (@id, @ended, @state, @service, @title, @createdAt, @body, @standing)`);
  const update = connection.prepare(`
    UPDATE incidents SET ended = @ended, state = @state, service = @service, title = @title, body = @body,
      standing = @standing
    WHERE id = @id`);
  const addFact = connection.prepare(`
    INSERT INTO facts (incident, seq, id, at, type, data)
    VALUES (@n, (SELECT coalesce(max(seq), 0) + 1 FROM facts WHERE incident = @n), @id, @at, @type, @data)`);
  const mark = connection.prepare('INSERT OR IGNORE INTO written VALUES (?, ?)');

  const read = (row: { n: number; body: string } | undefined): KeptIncident | undefined =>
    row && { n: row.n, incident: Incident.parse(JSON.parse(row.body)) };
  const columns = (incident: Incident) => ({
    id: incident.id,
    ended: ENDED_STATES.includes(incident.state) ? 1 : 0,
    state: incident.state,
    service: incident.service ?? null,
    title: incident.title,
    createdAt: incident.createdAt,
    body: JSON.stringify(incident),
    standing: JSON.stringify(standingOf(incident)),
  });
  const must = (id: string): KeptIncident => {
    const found = read(byId.get(id));
    if (!found) throw fail('input.not_found', `There is no incident '${id}'.`);
    return found;
  };

  return {
    get: (id: string): KeptIncident | undefined => read(byId.get(id)),
    at: (n: number): KeptIncident | undefined => read(byNumber.get(n)),
    must,
    /** The open ones as far as grouping has to know them: cheap, since it is asked for with every delivery. */
    open: (): OpenIncident[] => open.all().map((standing) => standingOf(JSON.parse(standing) as Incident)),
    add: (incident: Incident): KeptIncident => ({
      n: Number(insert.run(columns(incident)).lastInsertRowid),
      incident,
    }),
    /** Undefined takes a part away. */
    change: ({ n, incident }: KeptIncident, patch: IncidentPatch, at: number): KeptIncident => {
      const merged = Object.entries({ ...incident, ...patch, updatedAt: at });
      const next = Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as Incident;
      update.run(columns(next));
      return { n, incident: next };
    },
    tell: (n: number, facts: readonly NewFact[], at: number): void => {
      for (const { type, data } of facts)
        addFact.run({ n, id: randomUUID(), at, type, data: JSON.stringify(data) });
    },
    /** False: this was written before. */
    mark: (n: number, key: string): boolean => mark.run(n, key).changes > 0,
  };
}

export const standingOf = ({
  id,
  title,
  severity,
  state,
  service,
  services,
  heard,
  labels,
  startsAt,
  createdAt,
  updatedAt,
  alerts,
  firing,
  kind,
  byHand,
}: OpenIncident): OpenIncident => ({
  id,
  title,
  severity,
  state,
  services,
  startsAt,
  createdAt,
  updatedAt,
  alerts,
  firing,
  ...(service === undefined ? {} : { service }),
  ...(heard === undefined ? {} : { heard }),
  ...(labels === undefined ? {} : { labels }),
  ...(kind === undefined ? {} : { kind }),
  ...(byHand === undefined ? {} : { byHand }),
});

const readData = (type: string, data: unknown): unknown =>
  FACT_SENTENCES[type as IncidentFact['type']]?.parse(data) ?? data;

export const factOf = ({ id, seq, at, stream, type, data }: FactRow): IncidentFact =>
  ({
    id,
    seq,
    at: new Date(at).toISOString(),
    stream,
    type,
    data: readData(type, JSON.parse(data)),
  }) as IncidentFact;
