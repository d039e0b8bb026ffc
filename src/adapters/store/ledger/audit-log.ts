import { createHash } from 'node:crypto';
import { AuditEntry } from '#spec/data';
import type { AuditLog } from '#spec/ports';
import type { Connection } from '../sqlite/connection.ts';
import type { WriteQueue } from '../sqlite/write-queue.ts';
import { type Head, readHead, writeHead } from './head-file.ts';

interface Row {
  readonly seq: number;
  readonly body: string;
  readonly previous: string;
  readonly hash: string;
}

export interface AuditLogOptions {
  readonly headPath: string;
  readonly now: () => number;
}

/** What the first line follows. */
const NOTHING = '0'.repeat(64);

/** Covers the line as it is stored, byte for byte, so that reading needs no agreement on how JSON is written. */
const hashOf = (previous: string, body: string): string =>
  createHash('sha256').update(`${previous}\n${body}`).digest('hex');

/**
 * Number and hash of a line are found inside the transaction that adds it, so that several processes make one chain.
 * The head is written after that, under the same lock and before `append` resolves: lines that were confirmed cannot be
 * cut off unseen, and a crash in between leaves a head that is behind, never one that is ahead.
 */
export async function auditLog(
  connection: Connection,
  queue: WriteQueue,
  options: AuditLogOptions,
): Promise<AuditLog> {
  const { headPath, now } = options;
  const last = connection.prepare<[], Row>('SELECT * FROM audit ORDER BY seq DESC LIMIT 1');
  const insert = connection.prepare('INSERT INTO audit (seq, body, previous, hash) VALUES (?, ?, ?, ?)');
  const after = connection.prepare<[number, number], Row>(
    'SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const newest = connection.prepare<[number], Row>('SELECT * FROM audit ORDER BY seq DESC LIMIT ?');
  const every = connection.prepare<[], Row>('SELECT * FROM audit ORDER BY seq');
  let written = 0;
  // From here on a head that is missing was taken away.
  await queue.write(() => {
    if (!last.get() && readHead(headPath) === undefined) writeHead(headPath, { seq: 0, hash: NOTHING });
  });

  const moveHead = (seq: number) =>
    queue.write(() => {
      const row = written < seq ? last.get() : undefined;
      if (!row) return;
      writeHead(headPath, { seq: row.seq, hash: row.hash });
      written = row.seq;
    });

  return {
    append: async (kind, requester, data) => {
      const entry = await queue.write(() => {
        const { seq: lastSeq, hash: previous } = last.get() ?? { seq: 0, hash: NOTHING };
        const seq = lastSeq + 1;
        const body = JSON.stringify({ seq, at: now(), kind, requester, data });
        const hash = hashOf(previous, body);
        insert.run(seq, body, previous, hash);
        return toEntry({ seq, body, previous, hash });
      });
      await moveHead(entry.seq);
      return entry;
    },
    read: (afterSeq, limit) => queue.read(() => after.all(afterSeq, limit).map(toEntry)),
    last: (limit) => queue.read(() => newest.all(Math.max(0, limit)).toReversed().map(toEntry)),
    verify: () => {
      // Read before the lines: what others add meanwhile is then behind no head.
      const head = readHead(headPath);
      return queue.read(() => follow(every.iterate(), head));
    },
  };
}

const toEntry = ({ body, previous, hash }: Row): AuditEntry =>
  AuditEntry.parse({ ...(JSON.parse(body) as object), previous, hash });

type Verified = Awaited<ReturnType<AuditLog['verify']>>;

function follow(rows: Iterable<Row>, head: Head | undefined | 'broken'): Verified {
  let [seq, previous] = [0, NOTHING];
  const wrong = (at: number, problem: string): Verified => ({ sound: false, seq: at, problem });
  for (const row of rows) {
    if (row.seq !== seq + 1) return wrong(seq + 1, `line ${seq + 1} is missing`);
    seq = row.seq;
    const problem = problemOf(row, previous);
    if (problem) return wrong(seq, `line ${seq} ${problem}`);
    previous = row.hash;
    if (typeof head === 'object' && head.seq === seq && head.hash !== row.hash) {
      return wrong(seq, `line ${seq} is not the one that was written down as the head`);
    }
  }
  if (head === 'broken') return wrong(seq, 'the head that was written down cannot be read');
  if (head && head.seq > seq) return wrong(seq + 1, `lines ${seq + 1} to ${head.seq} were cut off`);
  if (!head && seq > 0) return wrong(seq, 'the head that was written down is missing');
  return { sound: true, entries: seq, head: previous };
}

function problemOf({ seq, body, previous, hash }: Row, expected: string): string | undefined {
  if (previous !== expected) return 'does not follow the line before it';
  if (hash !== hashOf(previous, body)) return 'was changed';
  const parsed = AuditEntry.safeParse({ ...readObject(body), previous, hash });
  if (!parsed.success || parsed.data.seq !== seq) return 'is no line of an audit log';
  return undefined;
}

function readObject(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    // Something without fields, which no schema accepts.
    return {};
  }
}
