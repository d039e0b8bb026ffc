import type { FileSchema } from '../sqlite/connection.ts';

/**
 * The triggers hold what the ports promise against whoever writes to the file past them: the audit log only grows, one
 * number at a time (an `INSERT OR REPLACE` would otherwise delete silently), an approval stays what was asked, and its
 * state moves forward only.
 */
const VERSIONS: readonly string[] = [
  `
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    n INTEGER NOT NULL,
    digest TEXT NOT NULL,
    session TEXT NOT NULL,
    profile TEXT NOT NULL,
    platform TEXT NOT NULL,
    user TEXT NOT NULL,
    asked TEXT NOT NULL,
    state TEXT NOT NULL,
    scope_kind TEXT,
    scope TEXT,
    created_at REAL NOT NULL,
    expires_at REAL NOT NULL,
    decided_at REAL,
    decided_by TEXT,
    used_at REAL
  ) STRICT;
  CREATE INDEX approvals_by_session ON approvals (session, state);
  CREATE INDEX approvals_by_state ON approvals (state, profile, user);

  CREATE TRIGGER approvals_are_kept BEFORE DELETE ON approvals
  BEGIN SELECT RAISE(ABORT, 'approvals are kept'); END;
  CREATE TRIGGER approvals_stay_what_was_asked BEFORE UPDATE ON approvals
  WHEN NEW.id <> OLD.id OR NEW.digest <> OLD.digest OR NEW.asked <> OLD.asked OR NEW.session <> OLD.session
    OR NEW.profile <> OLD.profile OR NEW.platform <> OLD.platform OR NEW.user <> OLD.user
  BEGIN SELECT RAISE(ABORT, 'an approval stays what was asked'); END;
  CREATE TRIGGER approvals_move_forward BEFORE UPDATE OF state ON approvals
  WHEN NOT (
    (OLD.state = 'pending' AND NEW.state IN ('granted', 'denied', 'expired', 'withdrawn'))
    OR (OLD.state = 'granted' AND NEW.state IN ('used', 'withdrawn'))
  )
  BEGIN SELECT RAISE(ABORT, 'the state of an approval moves forward only'); END;

  CREATE TABLE taints (
    session TEXT NOT NULL,
    taint TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (session, taint)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
  CREATE TRIGGER audit_is_not_cut BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
  CREATE TRIGGER audit_grows_by_one BEFORE INSERT ON audit
  WHEN NEW.seq <> ifnull((SELECT max(seq) FROM audit), 0) + 1
  BEGIN SELECT RAISE(ABORT, 'the audit log grows one line at a time'); END;
  `,
  `
  CREATE TABLE audit_marks (
    n INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    seq INTEGER NOT NULL,
    problem TEXT NOT NULL,
    accepted INTEGER
  ) STRICT;
  CREATE TRIGGER audit_marks_are_kept BEFORE DELETE ON audit_marks
  BEGIN SELECT RAISE(ABORT, 'a break of the audit log stays on record'); END;
  CREATE TRIGGER audit_marks_are_accepted_once BEFORE UPDATE ON audit_marks
  WHEN OLD.accepted IS NOT NULL OR NEW.accepted IS NULL OR NEW.n <> OLD.n OR NEW.at <> OLD.at
    OR NEW.seq <> OLD.seq OR NEW.problem <> OLD.problem
  BEGIN SELECT RAISE(ABORT, 'a break of the audit log stays on record'); END;
  `,
];

/** Every write is on disk when it resolves: an approval that was given is not lost with the power. */
export const LEDGER_SCHEMA: FileSchema = { store: 'ledger', versions: VERSIONS, synchronous: 'FULL' };
