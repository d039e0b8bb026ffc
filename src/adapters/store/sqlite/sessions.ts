import { createHash } from 'node:crypto';
import { fail } from '#kit/app-error';
import type { FrozenPrefix, Session } from '#spec/data';
import type { SessionFilter, SessionPatch, SessionStore } from '#spec/ports';
import { audienceClauses } from './audience-clauses.ts';
import type { Connection } from './connection.ts';
import { removeSessions } from './remove-sessions.ts';
import type { WriteQueue } from './write-queue.ts';

interface SessionRow {
  readonly id: string;
  readonly source: string;
  readonly user: string;
  readonly chat: string;
  readonly title: string | null;
  readonly parent_id: string | null;
  readonly parent_seq: number | null;
  readonly model: string | null;
  readonly cwd: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly messages: number;
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly reasoning: number;
  readonly cost: number;
}

const DEFAULT_LIMIT = 50;
const PATCHED = ['title', 'model', 'cwd'] as const satisfies readonly (keyof SessionPatch)[];

export function sessionStore(connection: Connection, queue: WriteQueue): SessionStore {
  const insertPrefix = connection.prepare('INSERT OR IGNORE INTO prefixes VALUES (?, ?)');
  const insert = connection.prepare(`
    INSERT INTO sessions (id, source, user, chat, title, parent_id, parent_seq, model, cwd, created_at, updated_at,
      input, output, cache_read, cache_write, reasoning, cost, prefix)
    VALUES (@id, @source, @user, @chat, @title, @parent_id, @parent_seq, @model, @cwd, @created_at, @updated_at,
      @input, @output, @cache_read, @cache_write, @reasoning, @cost, @prefix)`);
  const get = connection.prepare<[string], SessionRow & { readonly body: string }>(
    'SELECT sessions.*, prefixes.body FROM sessions JOIN prefixes ON prefixes.hash = prefix WHERE id = ?',
  );
  const remove = removeSessions(connection);

  return {
    create: (session, prefix) =>
      queue.write(() => {
        const body = JSON.stringify({ system: prefix.system, tools: prefix.tools });
        const hash = createHash('sha256').update(body).digest('hex');
        insertPrefix.run(hash, body);
        insert.run({ ...toRow(session), prefix: hash });
      }),
    get: (id) =>
      queue.read(() => {
        const row = get.get(id);
        return row && { session: fromRow(row), prefix: JSON.parse(row.body) as FrozenPrefix };
      }),
    list: (filter) => queue.read(() => listRows(connection, filter).map(fromRow)),
    update: (id, patch) =>
      queue.write(() => {
        const changed = PATCHED.filter((key) => patch[key] !== undefined);
        const sets = changed.map((key) => `${key} = ?`).join(', ') || 'id = id';
        const values = changed.map((key) => patch[key]);
        const { changes } = connection.prepare(`UPDATE sessions SET ${sets} WHERE id = ?`).run(...values, id);
        if (changes === 0) throw noSession(id);
      }),
    remove: (ids) => queue.write(() => remove(ids)),
  };
}

export const noSession = (id: string) => fail('input.invalid', `there is no session '${id}'`);

function listRows(connection: Connection, filter: SessionFilter): SessionRow[] {
  const { clauses, values } = audienceClauses(filter.audience);
  if (filter.before !== undefined) {
    clauses.push('updated_at < ?');
    values.push(filter.before);
  }
  if (filter.text) {
    const escaped = filter.text.replace(/[\\%_]/g, '\\$&');
    clauses.push("(title LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\')");
    values.push(`%${escaped}%`, `${escaped}%`);
  }
  const where = clauses.length > 0 ? `WHERE ${clauses.join(' AND ')}` : '';
  return connection
    .prepare<unknown[], SessionRow>(
      `SELECT * FROM sessions ${where} ORDER BY updated_at DESC, n DESC LIMIT ?`,
    )
    .all(...values, filter.limit ?? DEFAULT_LIMIT);
}

function toRow(session: Session): Omit<SessionRow, 'messages'> {
  const { id, source, user, chat, title, parent, model, cwd, usage, cost } = session;
  return {
    id,
    source,
    user,
    chat,
    title: title ?? null,
    parent_id: parent?.id ?? null,
    parent_seq: parent?.seq ?? null,
    model: model ?? null,
    cwd: cwd ?? null,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    input: usage.input,
    output: usage.output,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite,
    reasoning: usage.reasoning,
    cost,
  };
}

function fromRow(row: SessionRow): Session {
  const { id, source, user, chat, title, model, cwd, messages, cost, input, output, reasoning } = row;
  return {
    id,
    source,
    user,
    chat,
    ...(title === null ? {} : { title }),
    ...(row.parent_id === null ? {} : { parent: { id: row.parent_id, seq: row.parent_seq ?? 0 } }),
    ...(model === null ? {} : { model }),
    ...(cwd === null ? {} : { cwd }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    messages,
    usage: { input, output, reasoning, cacheRead: row.cache_read, cacheWrite: row.cache_write },
    cost,
  };
}
