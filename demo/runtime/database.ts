import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { ServiceName } from '../system/service-names.ts';
import { between, wait } from './wait.ts';

export type Row = Readonly<Record<string, unknown>>;

/** One connection to one of the two database files of a service. */
export interface Connection {
  readonly target: string;
  /** Runs one statement and gives its rows. The way to the server and its disk takes time: `lagMs`. */
  run(sql: string, values?: readonly (string | number)[]): Promise<Row[]>;
  close(): void;
}

export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout';
}

export interface DatabaseOptions {
  readonly folder: string;
  readonly service: ServiceName;
  /** What a disk adds to every statement. */
  diskMs(target: string): number;
  statementTimeoutMs(): number;
}

const MOST_ROWS = 5_000;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS coupons (id TEXT PRIMARY KEY, percent INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, account TEXT NOT NULL, item TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS payments (id INTEGER PRIMARY KEY, account TEXT NOT NULL, amount INTEGER NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL);
`;

export const COUPONS: readonly string[] = [
  'SPRING-SALE',
  ...Array.from({ length: 39 }, (_, index) => `WELCOME-${String(index + 1).padStart(2, '0')}`),
];

/** Makes both files where they are missing, with the coupons in them and last week's rows dropped. */
export function prepareDatabases(folder: string, service: ServiceName): void {
  for (const target of ['primary', 'replica']) {
    const database = open(folder, service, target);
    database.pragma('journal_mode = WAL');
    database.exec(SCHEMA);
    const insert = database.prepare('INSERT OR IGNORE INTO coupons (id, percent) VALUES (?, ?)');
    database.transaction(() => COUPONS.forEach((id, index) => insert.run(id, 5 + (index % 4) * 5)))();
    for (const table of ['orders', 'payments'])
      database.exec(`DELETE FROM ${table} WHERE id <= (SELECT max(id) FROM ${table}) - ${MOST_ROWS}`);
    database.close();
  }
}

export function openConnection(options: DatabaseOptions, target: string): Connection {
  const database = open(options.folder, options.service, target);
  const statements = new Map<string, SqliteDatabase.Statement>();
  return {
    target,
    run: async (sql, values = []) => {
      const lag = between(2, 6) + options.diskMs(target);
      const most = options.statementTimeoutMs();
      await wait(Math.min(lag, most));
      if (lag > most) throw new StatementTimeout(`statement timeout after ${most} ms on ${target}: ${sql}`);
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      if (statement.reader) return statement.all(...values) as Row[];
      statement.run(...values);
      return [];
    },
    close: () => database.close(),
  };
}

/** What is not `replica` is the primary: a registry may say anything. */
function open(folder: string, service: ServiceName, target: string): SqliteDatabase.Database {
  const file = target === 'replica' ? 'replica' : 'primary';
  const database = new SqliteDatabase(join(folder, `${service}-${file}.db`), { timeout: 200 });
  database.pragma('synchronous = OFF');
  return database;
}
