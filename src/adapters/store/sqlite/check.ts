import type { Connection } from './connection.ts';
import { isCorrupt } from './store-error.ts';
import { brokenToolGroups } from './tool-groups.ts';

export interface Problem {
  /**
   * `file`: the pages of the file. `index`: the full-text index. `reference`: a row points nowhere. `counter`: a
   * session's totals. `sequence`: a gap in the numbers. `tools`: a tool call and its result are not together.
   */
  readonly kind: 'file' | 'index' | 'reference' | 'counter' | 'sequence' | 'tools';
  readonly session?: string;
  readonly detail: string;
}

export interface CheckReport {
  readonly ok: boolean;
  readonly problems: readonly Problem[];
  readonly sessions: number;
  readonly messages: number;
  /** Messages that wait for the indexer. That is no problem. */
  readonly unindexed: number;
}

export function checkDatabase(connection: Connection): CheckReport {
  const problems: Problem[] = [];
  for (const find of [fileProblems, referenceProblems, counterProblems, sequenceProblems, brokenToolGroups]) {
    problems.push(...readable(() => find(connection), []));
  }
  const count = (rows: string): number =>
    readable(() => connection.prepare<[], number>(`SELECT count(*) FROM ${rows}`).pluck().get() ?? 0, 0);
  return {
    ok: problems.length === 0,
    problems,
    sessions: count('sessions'),
    messages: count('messages'),
    unindexed: count('messages WHERE n > (SELECT through FROM index_state)'),
  };

  /** Damage that makes a question unanswerable is a finding, not a failure of the check. */
  function readable<T>(ask: () => T, otherwise: T): T {
    try {
      return ask();
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      const detail = error instanceof Error ? error.message : String(error);
      if (!problems.some((known) => known.detail === detail)) problems.push({ kind: 'file', detail });
      return otherwise;
    }
  }
}

/** The pages, the ordinary indexes and, since SQLite asks virtual tables too, the structure of the full-text index. */
export function fileProblems(connection: Connection): Problem[] {
  const lines = connection.pragma('integrity_check(50)') as { readonly integrity_check: string }[];
  return lines
    .map(({ integrity_check: detail }) => detail)
    .filter((detail) => detail !== 'ok')
    .map((detail) => ({ kind: /fts5|\bsearch\b/i.test(detail) ? 'index' : 'file', detail }));
}

function referenceProblems(connection: Connection): Problem[] {
  const rows = connection.pragma('foreign_key_check') as {
    readonly table: string;
    readonly parent: string;
  }[];
  return rows.map(({ table, parent }) => ({
    kind: 'reference',
    detail: `a row of ${table} points to a missing row of ${parent}`,
  }));
}

function counterProblems(connection: Connection): Problem[] {
  const rows = connection
    .prepare<[], { id: string; counted: number; found: number; spent: number; cost: number }>(`
      SELECT id, messages AS counted, cost,
        (SELECT count(*) FROM messages WHERE session = sessions.n AND state <> 'undone') AS found,
        (SELECT total(cost) FROM messages WHERE session = sessions.n) AS spent
      FROM sessions WHERE counted <> found OR cost < spent * 0.999999 - 1e-9`)
    .all();
  const counters = rows.map(
    ({ id, counted, found, cost, spent }): Problem => ({
      kind: 'counter',
      session: id,
      detail: `counts ${counted} messages and a cost of ${cost}, has ${found} and ${spent}`,
    }),
  );
  const indexed = connection.prepare<[], number>('SELECT count(*) FROM search_docsize').pluck().get();
  const entries = connection.prepare<[], number>('SELECT entries FROM index_state').pluck().get();
  if (indexed === entries) return counters;
  return [...counters, { kind: 'index', detail: `counts ${entries} entries, has ${indexed}` }];
}

function sequenceProblems(connection: Connection): Problem[] {
  const rows = connection
    .prepare<[], { id: string; last: number; found: number }>(`
      SELECT s.id, s.last_seq AS last, count(DISTINCT m.seq) AS found
      FROM sessions s LEFT JOIN messages m ON m.session = s.n
      GROUP BY s.n HAVING last <> found OR last <> ifnull(max(m.seq), 0) OR found <> count(m.seq)`)
    .all();
  const facts = connection
    .prepare<[], { id: string; last: number; found: number }>(
      'SELECT stream AS id, max(seq) AS last, count(*) AS found FROM facts GROUP BY stream HAVING last <> found',
    )
    .all();
  const describe = (what: string) => (row: { id: string; last: number; found: number }) =>
    ({
      kind: 'sequence',
      session: row.id,
      detail: `${row.found} ${what}, numbered up to ${row.last}`,
    }) as const;
  return [...rows.map(describe('messages')), ...facts.map(describe('facts'))];
}
