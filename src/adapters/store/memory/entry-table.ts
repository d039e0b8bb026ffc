import type { Connection } from '../sqlite/connection.ts';
import { type EntryRow, printOf, SELECT_ENTRIES } from './entry-row.ts';

/** An entry before it has a key in the file. */
export type NewRow = Omit<EntryRow, 'n' | 'line' | 'scope_name' | 'accesses' | 'accessed_at'> & {
  /** Undefined for the first of its line. */
  readonly line: number | undefined;
};

export type EntryTable = ReturnType<typeof entryTable>;

/** The statements over entries that more than one part needs. To be called within a transaction. */
export function entryTable(connection: Connection) {
  const byId = connection.prepare<[string], EntryRow>(`${SELECT_ENTRIES} WHERE e.id = ?`);
  const byNumber = connection.prepare<[number], EntryRow>(`${SELECT_ENTRIES} WHERE e.n = ?`);
  const inLine = connection.prepare<[{ line: number }], EntryRow>(
    `${SELECT_ENTRIES} WHERE e.n = @line OR (e.line = @line AND e.line <> e.n) ORDER BY e.version DESC, e.n DESC`,
  );
  const keyed = connection.prepare<[number, string], EntryRow>(
    `${SELECT_ENTRIES} WHERE e.scope = ? AND e.key = ? AND e.state = 'active' AND e.key IS NOT NULL`,
  );
  const printed = connection.prepare<[Buffer], EntryRow>(
    `${SELECT_ENTRIES} WHERE e.print = ? AND e.state = 'active'`,
  );
  const expired = connection.prepare<[number], EntryRow>(
    `${SELECT_ENTRIES} WHERE e.state = 'active' AND e.expires_at IS NOT NULL AND e.expires_at <= ?`,
  );
  const insert = connection.prepare(`
    INSERT INTO entries (n, id, line, scope, kind, key, text, context, provenance, trust, at, created_at, updated_at,
      expires_at, version, replaces, state, print)
    VALUES (@n, @id, @line, @scope, @kind, @key, @text, @context, @provenance, @trust, @at, @created_at, @updated_at,
      @expires_at, @version, @replaces, @state, @print)`);
  const next = connection.prepare<[], number>('SELECT ifnull(max(n), 0) + 1 FROM entries').pluck();
  const findScope = connection.prepare<[string], number>('SELECT n FROM scopes WHERE name = ?').pluck();
  const addScope = connection.prepare('INSERT INTO scopes (name) VALUES (?)');

  return {
    byId: (id: string) => byId.get(id),
    byNumber: (n: number) => byNumber.get(n),
    /** Every version, newest first. */
    inLine: (line: number) => inLine.all({ line }),
    /** The active one of a scope and key. */
    keyed: (scope: number, key: string) => keyed.get(scope, key),
    /** Active ones that say the same. */
    saying: (scope: number, kind: string, text: string) =>
      printed
        .all(printOf(scope, kind, text))
        .filter((row) => row.scope === scope && row.kind === kind && row.text === text),
    expired: (now: number) => expired.all(now),
    insert: (row: NewRow): number => {
      const n = next.get() ?? 1;
      insert.run({ ...row, n, line: row.line ?? n, print: printOf(row.scope, row.kind, row.text) });
      return n;
    },
    scope: (name: string): number => findScope.get(name) ?? Number(addScope.run(name).lastInsertRowid),
  };
}
