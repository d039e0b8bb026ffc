import type { MemoryState } from '#spec/data';
import type { MemoryFilter } from '#spec/ports';

const IN_STATE: Readonly<Record<MemoryState, string>> = {
  active: "(e.state = 'active' AND (e.expires_at IS NULL OR e.expires_at > @now))",
  replaced: "e.state = 'replaced'",
  forgotten: "(e.state = 'forgotten' OR (e.state = 'active' AND e.expires_at <= @now))",
};

/** Conditions on an entry `e` that can be found at the moment `@now`. */
export const CAN_BE_FOUND = IN_STATE.active;

interface Clauses {
  readonly where: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The conditions of a filter on `e` and its uses `u`. */
export function entryFilter(filter: MemoryFilter, now: number): Clauses {
  const { ids, scopes, kinds, key, states = ['active'], unusedSince, before, limit } = filter;
  const values: Record<string, unknown> = { now, limit };
  const clauses = [`(${states.map((state) => IN_STATE[state]).join(' OR ') || 'FALSE'})`];
  const among = (column: string, name: string, list: readonly string[] | undefined) => {
    if (!list) return;
    clauses.push(`${column} IN (SELECT value FROM json_each(@${name}))`);
    values[name] = JSON.stringify(list);
  };
  among('e.id', 'ids', ids);
  among('e.kind', 'kinds', kinds);
  if (scopes) {
    clauses.push('e.scope IN (SELECT n FROM scopes WHERE name IN (SELECT value FROM json_each(@scopes)))');
    values.scopes = JSON.stringify(scopes);
  }
  if (key?.endsWith('/')) {
    // Right after the slash comes the zero: every key that begins with `a/` lies between `a/` and `a0`.
    clauses.push('e.key >= @key AND e.key < @past');
    values.past = `${key.slice(0, -1)}0`;
  } else if (key !== undefined) clauses.push('e.key = @key');
  if (key !== undefined) values.key = key;
  if (before !== undefined) clauses.push('e.created_at < @before');
  if (before !== undefined) values.before = before;
  if (unusedSince !== undefined) clauses.push('max(e.updated_at, ifnull(u.at, 0)) < @unusedSince');
  if (unusedSince !== undefined) values.unusedSince = unusedSince;
  return { where: clauses.join(' AND '), values };
}
