import type { Connection } from '../sqlite/connection.ts';

/** A break of the audit log that was met: kept for ever, and open until a line of the log accepts it. */
interface Mark {
  readonly seq: number;
  readonly problem: string;
}

export interface AuditMarks {
  /** The first one that nobody accepted. */
  open(): Mark | undefined;
  add(mark: Mark, at: number): void;
  /** Something that happened while one is open, once however often it does. It is answered with it. */
  beside(problem: string, at: number): void;
  /** What is open, in the order in which it was met. */
  all(): readonly Mark[];
  /** All that are open are answered by this line. */
  accept(line: number): void;
  /** How often something was accepted. */
  accepted(): number;
  /** One that claims to be accepted by a line which says nothing of the kind. */
  unproven(bodyOf: (line: number) => string | undefined): Mark | undefined;
}

export function auditMarks(connection: Connection): AuditMarks {
  const open = connection.prepare<[], Mark>(
    'SELECT seq, problem FROM audit_marks WHERE accepted IS NULL ORDER BY n LIMIT 1',
  );
  const all = connection.prepare<[], Mark>(
    'SELECT seq, problem FROM audit_marks WHERE accepted IS NULL ORDER BY n',
  );
  const insert = connection.prepare('INSERT INTO audit_marks (at, seq, problem) VALUES (?, ?, ?)');
  const accept = connection.prepare('UPDATE audit_marks SET accepted = ? WHERE accepted IS NULL');
  const count = connection
    .prepare<[], number>('SELECT count(*) FROM audit_marks WHERE accepted IS NOT NULL')
    .pluck();
  const done = connection.prepare<[], Mark & { accepted: number }>(
    'SELECT seq, problem, accepted FROM audit_marks WHERE accepted IS NOT NULL ORDER BY n',
  );
  return {
    open: () => open.get(),
    add: ({ seq, problem }, at) => void insert.run(at, seq, problem),
    beside: (problem, at) => {
      const first = open.get();
      if (first && !all.all().some((mark) => mark.problem === problem)) insert.run(at, first.seq, problem);
    },
    all: () => all.all(),
    accept: (line) => void accept.run(line),
    accepted: () => count.get() ?? 0,
    unproven: (bodyOf) => {
      const found = done.all().find(({ accepted }) => !bodyOf(accepted)?.includes('"kind":"audit.accepted"'));
      return found && { seq: found.seq, problem: found.problem };
    },
  };
}
