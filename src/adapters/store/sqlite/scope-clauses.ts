import type { SearchScope } from '#spec/ports';
import { audienceClauses } from './audience-clauses.ts';
import type { Connection } from './connection.ts';

/** Up to so many messages it pays to list those that may be found before the index is asked. */
const FEW_MESSAGES = 10_000;

/**
 * Conditions that limit the hits of `search`, joined with `messages` as `m`. The index hands over its hits in order of
 * rank, so a wide scope is looked at only until enough hits have passed. A narrow one, where most hits would fail, is
 * a list of keys that stands in the covering index of the messages.
 */
export function scopeClauses(
  connection: Connection,
  { audience, sessions, excludeSessions }: SearchScope,
): { readonly where: string; readonly values: readonly unknown[] } {
  const { clauses, values } = audienceClauses(audience);
  if (sessions) {
    clauses.push('id IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(sessions));
  }
  if (excludeSessions && excludeSessions.length > 0) {
    clauses.push('id NOT IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(excludeSessions));
  }
  if (clauses.length === 0) return { where: '', values };
  const allowed = `FROM sessions WHERE ${clauses.join(' AND ')}`;
  const size = connection
    .prepare<unknown[], number>(`SELECT total(last_seq) ${allowed}`)
    .pluck()
    .get(...values);
  const narrow = `+search.rowid IN (SELECT n FROM messages WHERE session IN (SELECT n ${allowed}))`;
  const wide = `m.session IN (SELECT n ${allowed})`;
  return { where: `AND ${(size ?? 0) <= FEW_MESSAGES ? narrow : wide}`, values };
}
