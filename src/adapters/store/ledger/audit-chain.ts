import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fail } from '#kit/app-error';
import { AuditEntry } from '#spec/data';
import type { AuditHead, AuditVerdict } from '#spec/ports';

export interface AuditRow {
  readonly seq: number;
  readonly body: string;
  readonly previous: string;
  readonly hash: string;
}

/** What the first line follows. */
const NOTHING = '0'.repeat(64);
export const START: AuditHead = { seq: 0, hash: NOTHING };

/** Covers the line as it is stored, byte for byte, so that reading needs no agreement on how JSON is written. */
export const hashOf = (previous: string, body: string): string =>
  createHash('sha256').update(`${previous}\n${body}`).digest('hex');

export function toEntry({ seq, body, previous, hash }: AuditRow): AuditEntry {
  const read = AuditEntry.safeParse({ ...readObject(body), previous, hash });
  if (read.success) return read.data;
  throw fail('audit.broken', `Line ${seq} of the audit log cannot be read.`, 'hermes audit verify');
}

/** What the line `audit.accepted` says: which break was seen, by its words, and every byte that stood before it. */
const Accepted = z.object({
  reason: z.string(),
  problem: z.string(),
  broken: z.number().int(),
  /** The head that had been written down; lines behind the one before this up to it are lost. */
  head: z.object({ seq: z.number().int(), hash: z.string() }).optional(),
  before: z.string(),
});

/** One number for all lines so far, whatever they say. */
export function everyByte(): { add(row: AuditRow): void; now(): string } {
  const hash = createHash('sha256');
  return {
    add: ({ seq, body, previous, hash: own }) => void hash.update(JSON.stringify([seq, body, previous, own])),
    now: () => hash.copy().digest('hex'),
  };
}

/**
 * Follows the chain from its start. A break stays one until a line of a person's accepts it, and that line counts only
 * while everything before it is byte for byte what it was then.
 */
export function follow(rows: Iterable<AuditRow>, head: AuditHead | undefined | 'broken'): AuditVerdict {
  const bytes = everyByte();
  const breaks: { seq: number; problem: string; reason: string; head?: AuditHead | undefined }[] = [];
  let [seq, previous] = [0, NOTHING];
  let wrong: { readonly seq: number; readonly problem: string } | undefined;
  const say = (at: number, problem: string) => (wrong ??= { seq: at, problem });
  for (const row of rows) {
    const accepted = acceptedBy(row);
    if (accepted && accepted.before === bytes.now() && row.hash === hashOf(row.previous, row.body)) {
      const { problem, reason, head: lost } = accepted;
      breaks.push({ seq: row.seq, problem, reason, ...(lost ? { head: lost } : {}) });
      wrong = undefined;
    } else if (row.seq !== seq + 1) say(seq + 1, `line ${seq + 1} is missing`);
    else {
      const problem = problemOf(row, previous);
      if (problem) say(row.seq, `line ${row.seq} ${problem}`);
    }
    seq = row.seq;
    previous = row.hash;
    bytes.add(row);
    if (typeof head === 'object' && head.seq === seq && head.hash !== row.hash) {
      say(seq, `line ${seq} is not the one that was written down as the head`);
    }
  }
  if (head === 'broken') say(seq, 'the head that was written down cannot be read');
  else if (!head && seq > 0) say(seq, 'the head that was written down is missing');
  else if (head && head.seq > seq) say(seq + 1, cutOff(seq, head.seq));
  return wrong ? { sound: false, ...wrong } : { sound: true, entries: seq, head: previous, breaks };
}

export const cutOff = (last: number, head: number): string =>
  `${head - last === 1 ? `line ${head} was` : `lines ${last + 1} to ${head} were`} cut off`;

export function problemOf({ seq, body, previous, hash }: AuditRow, expected: string): string | undefined {
  if (previous !== expected) return 'does not follow the line before it';
  if (hash !== hashOf(previous, body)) return 'was changed';
  const parsed = AuditEntry.safeParse({ ...readObject(body), previous, hash });
  if (!parsed.success || parsed.data.seq !== seq) return 'is no line of an audit log';
  return undefined;
}

function acceptedBy({ body }: AuditRow): z.infer<typeof Accepted> | undefined {
  // Read only where it can be one: nearly no line is.
  if (!body.includes('"audit.accepted"')) return undefined;
  const line = readObject(body) as { kind?: unknown; data?: unknown };
  return line.kind === 'audit.accepted' ? Accepted.safeParse(line.data).data : undefined;
}

function readObject(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    // Something without fields, which no schema accepts.
    return {};
  }
}
