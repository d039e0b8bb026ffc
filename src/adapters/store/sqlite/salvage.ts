import { closeSync, existsSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import type { Connection } from './connection.ts';
import type { SalvageReport } from './repair.ts';
import { isCorrupt } from './store-error.ts';

/** In the order in which rows point to each other. */
const TABLES = ['prefixes', 'sessions', 'blobs', 'messages', 'blob_uses', 'facts'] as const;
type Table = (typeof TABLES)[number];

type Row = Record<string, unknown>;

const PLACEHOLDER = 'recovered';

/**
 * Copies what can be read of a damaged database into a new, empty one. Where a session itself was lost, its messages
 * come under one that belongs to nobody.
 */
export function copyReadable(damaged: Connection, fresh: Connection): Omit<SalvageReport, 'kept'> {
  const lost: Record<string, number> = {};
  const incomplete: Table[] = [];
  fresh.pragma('foreign_keys = OFF');
  fresh.transaction(() => {
    for (const table of TABLES) {
      const { rows, missed, whole } = readRows(damaged, table);
      for (const row of rows) insertRow(fresh, table, row);
      if (missed > 0) lost[table] = missed;
      if (!whole) incomplete.push(table);
    }
    adoptOrphans(fresh);
    renumber(fresh);
  })();
  fresh.pragma('foreign_keys = ON');
  return { lost, incomplete };
}

interface ReadRows {
  readonly rows: readonly Row[];
  readonly missed: number;
  readonly whole: boolean;
}

/** Reads from both ends up to the damage. Where an index knows of more rows, each of them is tried. */
function readRows(damaged: Connection, table: Table): ReadRows {
  const found = new Map<string, Row>();
  const key = KEYS[table];
  let whole = false;
  for (const order of ['ASC', 'DESC']) {
    const ordered = key.map((column) => `${column} ${order}`).join(', ');
    whole = untilDamage(damaged, `SELECT * FROM ${table} ORDER BY ${ordered}`, (row) =>
      found.set(JSON.stringify(key.map((column) => row[column])), row),
    );
    if (whole) break;
  }
  const missed = whole || key[0] !== 'n' ? 0 : readByKey(damaged, table, found);
  return { rows: [...found.values()], missed, whole };
}

const KEYS: Readonly<Record<Table, readonly string[]>> = {
  prefixes: ['hash'],
  sessions: ['n'],
  blobs: ['hash'],
  messages: ['n'],
  blob_uses: ['message', 'hash'],
  facts: ['stream', 'seq'],
};

/** Tries every row that the index over the ids still names. Gives how many of them could not be read. */
function readByKey(damaged: Connection, table: Table, found: Map<string, Row>): number {
  let missed = 0;
  const index = `sqlite_autoindex_${table}_1`;
  const keys: number[] = [];
  const byId = `SELECT n FROM ${table} INDEXED BY ${index} ORDER BY id`;
  for (const order of ['ASC', 'DESC']) {
    if (untilDamage(damaged, `${byId} ${order}`, (row) => keys.push(Number(row.n)))) break;
  }
  for (const n of new Set(keys)) {
    const name = JSON.stringify([n]);
    if (found.has(name)) continue;
    const read = untilDamage(damaged, `SELECT * FROM ${table} WHERE n = ${n}`, (row) => found.set(name, row));
    if (!read || !found.has(name)) missed += 1;
  }
  return missed;
}

/** Hands over rows until they cannot be read any more, and tells whether that was the end of them. */
function untilDamage(damaged: Connection, sql: string, take: (row: Row) => void): boolean {
  try {
    for (const row of damaged.prepare<[], Row>(sql).iterate()) take(row);
    return true;
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return false;
  }
}

function insertRow(fresh: Connection, table: Table, row: Row): void {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  fresh
    .prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
    .run(...Object.values(row));
}

function adoptOrphans(fresh: Connection): void {
  fresh.exec(`
    INSERT OR IGNORE INTO prefixes SELECT DISTINCT prefix, '{"system":[],"tools":[]}' FROM sessions;
    INSERT OR IGNORE INTO prefixes SELECT '${PLACEHOLDER}', '{"system":[],"tools":[]}'
      WHERE EXISTS (SELECT 1 FROM messages WHERE session NOT IN (SELECT n FROM sessions));
    INSERT INTO sessions (n, id, source, user, chat, created_at, updated_at, input, output, cache_read, cache_write,
      reasoning, cost, prefix)
    SELECT session, '${PLACEHOLDER}_' || session, '${PLACEHOLDER}', '${PLACEHOLDER}', '${PLACEHOLDER}', min(at), max(at),
      0, 0, 0, 0, 0, 0, '${PLACEHOLDER}'
    FROM messages WHERE session NOT IN (SELECT n FROM sessions) GROUP BY session;
    DELETE FROM facts WHERE stream NOT IN (SELECT id FROM sessions);
  `);
}

/** Closes the gaps that lost rows have left. */
function renumber(fresh: Connection): void {
  fresh.exec(`
    UPDATE messages SET seq = numbered.seq FROM
      (SELECT n, row_number() OVER (PARTITION BY session ORDER BY seq) AS seq FROM messages) AS numbered
    WHERE numbered.n = messages.n;
    UPDATE sessions SET last_seq = (SELECT ifnull(max(seq), 0) FROM messages WHERE session = sessions.n);
    CREATE TEMP TABLE renumbered AS
      SELECT stream, row_number() OVER (PARTITION BY stream ORDER BY seq) AS seq, type, at, data FROM facts;
    DELETE FROM facts;
    INSERT INTO facts SELECT * FROM renumbered;
    DROP TABLE renumbered;
  `);
}

const SIDE_FILES = ['', '-wal', '-shm'];

/** Puts `fresh` in the place of `path`, and gives the name under which the old file is kept. */
export function swapFiles(path: string, fresh: string, now: Date): string {
  const kept = `${path}.damaged-${now.toISOString().replace(/[:.]/g, '-')}`;
  for (const side of SIDE_FILES) if (existsSync(path + side)) renameSync(path + side, kept + side);
  renameSync(fresh, path);
  for (const side of SIDE_FILES.slice(1)) rmSync(fresh + side, { force: true });
  return kept;
}

/** Whether a file begins as a database does. Nothing can be read out of one that does not. */
export function hasHeader(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(16);
    readSync(file, head, 0, 16, 0);
    return head.toString('latin1') === 'SQLite format 3\0';
  } finally {
    closeSync(file);
  }
}
