import { AppError, fail } from '#kit/app-error';
import type { AuditKind, Requester } from '#spec/data';
import type { AuditHead, AuditLog } from '#spec/ports';
import type { Clean } from '../sqlite/clean-writes.ts';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';
import {
  type AuditRow,
  cutOff,
  everyByte,
  follow,
  hashOf,
  problemOf,
  START,
  toEntry,
} from './audit-chain.ts';
import { auditMarks } from './audit-marks.ts';
import { readHead, writeHead } from './head-file.ts';

export interface AuditLogOptions {
  readonly headPath: string;
  readonly now: () => number;
  /** What a line passes before it is hashed. */
  readonly clean?: Clean | undefined;
  /** Is told every head that was written down. */
  readonly onHead?: ((head: AuditHead) => void) | undefined;
}

interface Broken {
  readonly seq: number;
  readonly problem: string;
}

/**
 * Number and hash of a line are found inside the transaction that adds it, so that several processes make one chain.
 * The head is written after that, under the same lock and before `append` resolves. So a crash leaves a head that is
 * behind, and the lines after it follow from it: it is caught up with. A head that is ahead, that is another one or
 * that is gone cannot come from a crash: then nothing is appended, a mark stays, and only `accept` goes on.
 */
export async function auditLog(
  connection: Connection,
  queue: WriteQueue,
  { headPath, now, onHead, clean = (text) => text }: AuditLogOptions,
): Promise<AuditLog> {
  const last = connection.prepare<[], AuditRow>('SELECT * FROM audit ORDER BY seq DESC LIMIT 1');
  const insert = connection.prepare('INSERT INTO audit (seq, body, previous, hash) VALUES (?, ?, ?, ?)');
  const at = connection.prepare<[number], AuditRow>('SELECT * FROM audit WHERE seq = ?');
  const after = connection.prepare<[number, number], AuditRow>(
    'SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const newest = connection.prepare<[number], AuditRow>('SELECT * FROM audit ORDER BY seq DESC LIMIT ?');
  const every = connection.prepare<[], AuditRow>('SELECT * FROM audit ORDER BY seq');
  const marks = auditMarks(connection);
  /** The last line that this process knows of: file and head put back together are seen while it lives. */
  let seen = { ...START, accepted: 0 };

  const endOf = (): AuditHead => last.get() ?? START;
  const holds = ({ seq, hash }: AuditHead): boolean => (seq === 0 ? START : at.get(seq))?.hash === hash;

  /** Why nothing may be appended, if something is wrong with the end of the chain. */
  const disagreement = (): Broken | undefined => {
    const head = readHead(headPath);
    const { seq: end } = endOf();
    if (head === 'broken') return { seq: end, problem: 'the head that was written down cannot be read' };
    if (!head) return { seq: end, problem: 'the head that was written down is missing' };
    const known = seen.accepted === marks.accepted() && seen.seq > head.seq ? seen : head;
    if (known.seq > end) return { seq: end + 1, problem: cutOff(end, known.seq) };
    if (!holds(known)) {
      return {
        seq: known.seq,
        problem: `line ${known.seq} is not the one that was written down as the head`,
      };
    }
    let { hash: previous } = head;
    for (const row of after.iterate(head.seq, end - head.seq)) {
      const problem = problemOf(row, previous);
      if (problem) return { seq: row.seq, problem: `line ${row.seq} ${problem}` };
      previous = row.hash;
    }
    return undefined;
  };

  /** Runs `body` where the record is sound. The mark is kept by the same transaction that found it otherwise. */
  const whereSound = async <T>(body: () => T): Promise<T> => {
    const outcome = await queue.write(() => {
      const marked = marks.open();
      const found = marked ?? disagreement();
      if (!found) return { done: body() };
      if (!marked) marks.add(found, now());
      return { found };
    });
    if ('done' in outcome) return outcome.done;
    throw broken(outcome.found.problem);
  };

  const add = (kind: AuditKind, requester: Requester, data: Readonly<Record<string, unknown>>): AuditRow => {
    const { seq: lastSeq, hash: previous } = endOf();
    const seq = lastSeq + 1;
    const body = clean(JSON.stringify({ seq, at: now(), kind, requester, data }));
    const row = { seq, body, previous, hash: hashOf(previous, body) };
    insert.run(row.seq, row.body, row.previous, row.hash);
    return row;
  };
  const remember = ({ seq, hash }: AuditHead): void => {
    if (seq > seen.seq || seen.accepted !== marks.accepted())
      seen = { seq, hash, accepted: marks.accepted() };
  };
  const moveHead = (): void => {
    const { seq, hash } = endOf();
    writeHead(headPath, { seq, hash });
    onHead?.({ seq, hash });
  };

  // From here on a head that is missing was taken away.
  await queue.write(() => {
    if (!last.get() && readHead(headPath) === undefined && !marks.open()) writeHead(headPath, START);
  });

  const append: AuditLog['append'] = async (kind, requester, data) => {
    const row = await whereSound(() => add(kind, requester, data));
    remember(row);
    await whereSound(() => {
      const head = readHead(headPath);
      if (typeof head !== 'object' || head.seq < row.seq) moveHead();
    });
    return toEntry(row);
  };

  return {
    append,
    refused: async (requester, data) => {
      try {
        await append('cli.refused', requester, data);
      } catch (thrown) {
        if (!isBroken(thrown)) throw thrown;
        const text = clean(`cli.refused: ${data.shown} (${requester.user}): ${data.reason}`);
        await queue.write(() => marks.beside(text, now()));
      }
    },
    accept: async (requester, reason) => {
      const accepted = await queue.write(() => {
        const found = brokenNow();
        if (!found) return undefined;
        const bytes = everyByte();
        for (const row of every.iterate()) bytes.add(row);
        const head = readHead(headPath);
        const row = add('audit.accepted', requester, {
          reason,
          problem: found.problem,
          broken: found.seq,
          ...(typeof head === 'object' ? { head } : {}),
          ...(marks.all().length > 1 ? { marks: marks.all() } : {}),
          before: bytes.now(),
        });
        if (!marks.open()) marks.add(found, now());
        marks.accept(row.seq);
        return row;
      });
      if (!accepted) throw fail('input.conflict', 'The audit log is sound: there is nothing to accept.');
      seen = { ...START, accepted: -1 };
      remember(accepted);
      // A crash before this leaves the head as it was, and the break with it: it is accepted once more.
      await queue.write(moveHead);
      return toEntry(accepted);
    },
    read: (afterSeq, limit) => queue.read(() => after.all(afterSeq, limit).map(toEntry)),
    last: (limit) => queue.read(() => newest.all(Math.max(0, limit)).toReversed().map(toEntry)),
    heads: (seqs) =>
      queue.read(() => new Map(seqs.map((seq) => [seq, seq === 0 ? START.hash : at.get(seq)?.hash]))),
    verify: () => {
      // Read before the lines: what others add meanwhile is then behind no head.
      const head = readHead(headPath);
      return queue.read(() => {
        const found = follow(every.iterate(), head);
        const marked = marks.open() ?? marks.unproven((seq) => at.get(seq)?.body);
        return found.sound && marked ? { sound: false, ...marked } : found;
      });
    },
  };

  function brokenNow(): Broken | undefined {
    const found = follow(every.iterate(), readHead(headPath));
    return marks.open() ?? (found.sound ? disagreement() : found);
  }
}

const isBroken = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.record.code === 'audit.broken';

const broken = (problem: string) =>
  fail(
    'audit.broken',
    `The audit log is broken: ${problem}. Nothing was done, and nothing will be until a person has looked at it.`,
    'hermes audit verify shows it; hermes audit accept --reason "…", at a terminal, goes on and keeps the break on record.',
  );
