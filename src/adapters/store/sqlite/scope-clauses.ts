import type { SearchScope } from '#spec/ports';
import { audienceClauses } from './audience-clauses.ts';
import type { Connection } from './connection.ts';

/** Up to so many messages it pays to list those that may be found before the index is asked. */
const FEW_MESSAGES = 10_000;

interface Clauses {
  readonly where: string;
  readonly values: readonly unknown[];
}

/**
 * Conditions that limit the hits of `search`, joined with `messages` as `m`. The index hands over its hits in order of
 * rank, so a wide scope is looked at only until enough hits have passed. A narrow one, where most hits would fail, is
 * a list of keys that stands in the covering index of the messages.
 */
export function scopeClauses(connection: Connection, scope: SearchScope): Clauses {
  const { allowed, values } = allowedSessions(scope);
  if (!allowed) return { where: '', values };
  const size = connection
    .prepare<unknown[], number>(`SELECT total(last_seq) ${allowed}`)
    .pluck()
    .get(...values);
  const narrow = `+search.rowid IN (SELECT n FROM messages WHERE session IN (SELECT n ${allowed}))`;
  const wide = `m.session IN (SELECT n ${allowed})`;
  return { where: `AND ${(size ?? 0) <= FEW_MESSAGES ? narrow : wide}`, values };
}

/** The same for a look at the messages themselves. */
export function audienceScope(scope: SearchScope): Clauses {
  const { allowed, values } = allowedSessions(scope);
  return { where: allowed ? `AND m.session IN (SELECT n ${allowed})` : '', values };
}

function allowedSessions({ audience, sessions, excludeSessions }: SearchScope) {
  const { clauses, values } = audienceClauses(audience);
  if (sessions) {
    clauses.push('id IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(sessions));
  }
  if (excludeSessions && excludeSessions.length > 0) {
    clauses.push('id NOT IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(excludeSessions));
  }
  const allowed = clauses.length > 0 ? `FROM sessions WHERE ${clauses.join(' AND ')}` : '';
  return { allowed, values };
}
