import { createHash } from 'node:crypto';
import { fail } from '#kit/app-error';
import type { Approval, AuditEntry, Requester, Taint } from '#spec/data';
import type { ApprovalStore, AuditLog, TaintBook } from '#spec/ports';

export interface MemoryLedger {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly taints: TaintBook;
  /** The lines themselves. */
  readonly lines: readonly AuditEntry[];
  close(): Promise<void>;
}

/** The three ports of the gate without a disk. */
export function memoryLedger(now: () => number = Date.now): MemoryLedger {
  const lines: AuditEntry[] = [];
  return {
    approvals: memoryApprovals(),
    audit: memoryAudit(lines, now),
    taints: memoryTaints(),
    lines,
    close: async () => undefined,
  };
}

function memoryApprovals(): ApprovalStore {
  const kept = new Map<string, Approval>();
  const change = (id: string, may: (old: Approval) => boolean, patch: Partial<Approval>): boolean => {
    const old = kept.get(id);
    if (!old || !may(old)) return false;
    kept.set(id, structuredClone({ ...old, ...patch }));
    return true;
  };
  const newestFirst = () => structuredClone([...kept.values()].toReversed());
  return {
    add: async (approval) => {
      if (kept.has(approval.id)) return false;
      kept.set(approval.id, structuredClone(approval));
      return true;
    },
    get: async (id) => structuredClone(kept.get(id)),
    list: async ({ states, session, digest, limit }) =>
      newestFirst()
        .filter((one) => !states || states.includes(one.state))
        .filter((one) => session === undefined || one.requester.session === session)
        .filter((one) => digest === undefined || one.digest === digest)
        .slice(0, limit),
    decide: async (id, { granted, scope, by, at, expiresAt }) =>
      change(id, (old) => old.state === 'pending' && old.expiresAt > at, {
        state: granted ? 'granted' : 'denied',
        ...(granted ? { scope } : {}),
        decidedAt: at,
        decidedBy: by,
        expiresAt,
      }),
    use: async (id, digest, at) =>
      change(id, (old) => isUsable(old, digest, at), { state: 'used', usedAt: at }),
    end: async (id, state, at) =>
      change(
        id,
        (old) =>
          state === 'expired'
            ? old.state === 'pending' && old.expiresAt <= at
            : old.state === 'pending' || old.state === 'granted',
        { state },
      ),
    standing: async (requester, at) => newestFirst().filter((one) => holdsFor(one, requester, at)),
  };
}

const isUsable = ({ state, scope, digest, expiresAt }: Approval, wanted: string, at: number): boolean =>
  state === 'granted' && scope?.kind === 'once' && digest === wanted && expiresAt > at;

function holdsFor(
  { state, scope, expiresAt, requester: by }: Approval,
  wants: Requester,
  at: number,
): boolean {
  if (state !== 'granted' || expiresAt <= at) return false;
  if (by.profile !== wants.profile || by.user !== wants.user) return false;
  if (scope?.kind === 'session') return by.session === wants.session;
  return scope?.kind === 'always' && by.platform === wants.platform;
}

function memoryTaints(): TaintBook {
  const kept = new Map<string, Set<Taint>>();
  return {
    read: async (session) => [...(kept.get(session) ?? [])].toSorted(),
    add: async (session, taint) => {
      const taints = kept.get(session) ?? new Set();
      kept.set(session, taints);
      if (taints.has(taint)) return false;
      taints.add(taint);
      return true;
    },
  };
}

function memoryAudit(lines: AuditEntry[], now: () => number): AuditLog {
  const hashOf = (entry: AuditEntry): string =>
    createHash('sha256')
      .update(JSON.stringify({ ...entry, hash: '' }))
      .digest('hex');
  const append: AuditLog['append'] = async (kind, requester, data) => {
    const previous = lines.at(-1)?.hash ?? '';
    const plain = JSON.parse(JSON.stringify({ requester, data })) as Pick<AuditEntry, 'requester' | 'data'>;
    const entry = { seq: lines.length + 1, at: now(), kind, ...plain, previous, hash: '' };
    lines.push({ ...entry, hash: hashOf(entry) });
    return lines.at(-1) as AuditEntry;
  };
  return {
    append,
    refused: async (requester, data) => void (await append('cli.refused', requester, data)),
    read: async (afterSeq, limit) => lines.filter(({ seq }) => seq > afterSeq).slice(0, limit),
    accept: async () => {
      throw fail('input.conflict', 'Nothing in memory is broken.');
    },
    heads: async (seqs) => new Map(seqs.map((seq) => [seq, lines[seq - 1]?.hash])),
    last: async (limit) => (limit > 0 ? lines.slice(-limit) : []),
    verify: async () => {
      const wrong = lines.find(
        (line, at) =>
          line.seq !== at + 1 || line.previous !== (lines[at - 1]?.hash ?? '') || line.hash !== hashOf(line),
      );
      if (wrong) return { sound: false, seq: wrong.seq, problem: `line ${wrong.seq} was changed` };
      return { sound: true, entries: lines.length, head: lines.at(-1)?.hash ?? '', breaks: [] };
    },
  };
}
