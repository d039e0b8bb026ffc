import { Approval } from '#spec/data';
import type { ApprovalStore } from '#spec/ports';
import type { Clean } from '../sqlite/clean-writes.ts';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';

interface Row {
  readonly id: string;
  readonly digest: string;
  readonly asked: string;
  readonly state: string;
  readonly scope: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly decided_at: number | null;
  readonly decided_by: string | null;
  readonly used_at: number | null;
}

const INSERT = `
  INSERT OR IGNORE INTO approvals (id, n, digest, session, profile, platform, user, asked, state, created_at, expires_at)
  VALUES (@id, (SELECT ifnull(max(n), 0) + 1 FROM approvals), @digest, @session, @profile, @platform, @user, @asked,
    'pending', @createdAt, @expiresAt)`;

const DECIDE = `
  UPDATE approvals
  SET state = @state, scope = @scope, scope_kind = @kind, decided_at = @at, decided_by = @by, expires_at = @expiresAt
  WHERE id = @id AND state = 'pending' AND expires_at > @at`;

const USE = `
  UPDATE approvals SET state = 'used', used_at = @at
  WHERE id = @id AND state = 'granted' AND scope_kind = 'once' AND digest = @digest AND expires_at > @at`;

const LIST = `
  SELECT * FROM approvals
  WHERE (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
    AND (@session IS NULL OR session = @session)
    AND (@digest IS NULL OR digest = @digest)
  ORDER BY n DESC LIMIT @limit`;

const STANDING = `
  SELECT * FROM approvals
  WHERE state = 'granted' AND profile = @profile AND user = @user AND expires_at > @at
    AND ((scope_kind = 'session' AND session = @session) OR (scope_kind = 'always' AND platform = @platform))
  ORDER BY n DESC`;

const END = {
  expired: `UPDATE approvals SET state = 'expired' WHERE id = @id AND state = 'pending' AND expires_at <= @at`,
  withdrawn: `UPDATE approvals SET state = 'withdrawn' WHERE id = @id AND state IN ('pending', 'granted')`,
} as const;

/** Every change is one statement that names the state it starts from, so that of two only one changes anything. */
export function approvalStore(
  connection: Connection,
  queue: WriteQueue,
  clean: Clean = (text) => text,
): ApprovalStore {
  const insert = connection.prepare(INSERT);
  const decide = connection.prepare(DECIDE);
  const use = connection.prepare(USE);
  const end = { expired: connection.prepare(END.expired), withdrawn: connection.prepare(END.withdrawn) };
  const get = connection.prepare<[string], Row>('SELECT * FROM approvals WHERE id = ?');
  const list = connection.prepare<[object], Row>(LIST);
  const standing = connection.prepare<[object], Row>(STANDING);
  const changed = (run: () => { changes: number }) => queue.write(() => run().changes === 1);

  return {
    add: (approval) => changed(() => insert.run(toRow(approval, clean))),
    get: (id) =>
      queue.read(() => {
        const row = get.get(id);
        return row && fromRow(row);
      }),
    list: ({ states, session = null, digest = null, limit }) =>
      queue.read(() =>
        list.all({ states: states ? JSON.stringify(states) : null, session, digest, limit }).map(fromRow),
      ),
    decide: (id, { granted, scope, by, at, expiresAt }) =>
      changed(() =>
        decide.run({
          id,
          state: granted ? 'granted' : 'denied',
          scope: granted ? JSON.stringify(scope) : null,
          kind: granted ? scope.kind : null,
          by: JSON.stringify(by),
          at,
          expiresAt,
        }),
      ),
    use: (id, digest, at) => changed(() => use.run({ id, digest, at })),
    end: (id, state, at) => changed(() => end[state].run({ id, at })),
    standing: ({ profile, platform, user, session }, at) =>
      queue.read(() => standing.all({ profile, platform, user, session, at }).map(fromRow)),
  };
}

/** The digest is the one of the action as it is; what is kept to be shown has no secrets in it. */
function toRow(approval: Approval, clean: Clean) {
  const { id, digest, requester, action, reasons, prefix, separate, confirm, createdAt, expiresAt } =
    approval;
  const { session, profile, platform, user } = requester;
  const asked = clean(JSON.stringify({ action, requester, reasons, prefix, separate, confirm }));
  return { id, digest, session, profile, platform, user, asked, createdAt, expiresAt };
}

function fromRow(row: Row): Approval {
  return Approval.parse({
    ...(JSON.parse(row.asked) as object),
    id: row.id,
    digest: row.digest,
    state: row.state,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...(row.scope === null ? {} : { scope: JSON.parse(row.scope) as unknown }),
    ...(row.decided_at === null ? {} : { decidedAt: row.decided_at }),
    ...(row.decided_by === null ? {} : { decidedBy: JSON.parse(row.decided_by) as unknown }),
    ...(row.used_at === null ? {} : { usedAt: row.used_at }),
  });
}
