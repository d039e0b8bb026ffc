import type Sqlite from 'better-sqlite3';

/** Takes out of a text what may stand in no file. */
export type Clean = (text: string) => string;

const WRITES = /^\s*(?:INSERT|UPDATE|REPLACE|WITH\b[\s\S]*\b(?:INSERT|UPDATE|REPLACE)\b)/i;

/**
 * Every text that a statement writes passes `clean` on its way into the file, whoever wrote the statement: what is
 * prepared on this connection cannot forget it. Blobs are left alone, and so is what only looks.
 */
export function cleanWrites(connection: Sqlite.Database, clean: Clean): void {
  const prepare = connection.prepare.bind(connection) as (sql: string) => Sqlite.Statement;
  const prepareClean = (sql: string): Sqlite.Statement => {
    const statement = prepare(sql);
    if (!WRITES.test(sql)) return statement;
    const { run, get, all } = statement;
    const cleaned = (bound: unknown): unknown => {
      if (typeof bound === 'string') return cleanText(bound, clean);
      if (Array.isArray(bound)) return bound.map(cleaned);
      if (typeof bound !== 'object' || bound === null || ArrayBuffer.isView(bound)) return bound;
      return Object.fromEntries(Object.entries(bound).map(([name, value]) => [name, cleaned(value)]));
    };
    return Object.assign(statement, {
      run: (...bound: unknown[]) => run.apply(statement, bound.map(cleaned)),
      get: (...bound: unknown[]) => get.apply(statement, bound.map(cleaned)),
      all: (...bound: unknown[]) => all.apply(statement, bound.map(cleaned)),
    });
  };
  Object.assign(connection, { prepare: prepareClean });
}

/** A text of JSON stays one: where cleaning it as a whole would break it, its texts are cleaned one by one. */
function cleanText(text: string, clean: Clean): string {
  const now = clean(text);
  if (now === text || !isJson(text) || isJson(now)) return now;
  return JSON.stringify(
    JSON.parse(text, (key, value: unknown) =>
      typeof value === 'string' ? cleanValue(key, value, clean) : value,
    ),
  );
}

/** With its name, which may tell that it is a secret. */
function cleanValue(key: string, value: string, clean: Clean): string {
  const pair = clean(JSON.stringify({ [key]: value }));
  const [now] = isJson(pair) ? Object.values(JSON.parse(pair) as Record<string, unknown>) : [];
  return clean(typeof now === 'string' ? now : value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
