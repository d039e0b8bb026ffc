import type {
  Approval,
  ApprovalState,
  Approver,
  AuditEntry,
  AuditKind,
  GrantScope,
  Requester,
  Taint,
} from '#spec/data';

/**
 * Requests for agreement, kept across restarts and shared by every process of a home. Each change of state is one
 * atomic compare-and-set: of two that decide or use the same request, one wins. What was asked never changes.
 */
export interface ApprovalStore {
  /** False: the id is taken. */
  add(approval: Approval): Promise<boolean>;
  get(id: string): Promise<Approval | undefined>;
  /** Newest first. */
  list(filter: {
    readonly states?: readonly ApprovalState[];
    readonly session?: string;
    readonly digest?: string;
    readonly limit: number;
  }): Promise<readonly Approval[]>;
  /** From `pending`, before it expires. False: it was decided, withdrawn or too late. */
  decide(
    id: string,
    decision: {
      readonly granted: boolean;
      readonly scope: GrantScope;
      readonly by: Approver;
      readonly at: number;
      /** Until when the grant holds. */
      readonly expiresAt: number;
    },
  ): Promise<boolean>;
  /** From `granted` with the scope `once` to `used`, for exactly this digest, before it expires. */
  use(id: string, digest: string, at: number): Promise<boolean>;
  /** `expired`: from `pending`, when its time is over. `withdrawn`: from `pending` or `granted`. */
  end(id: string, state: 'expired' | 'withdrawn', at: number): Promise<boolean>;
  /**
   * Grants that still hold: of scope `session` for that session, of scope `always` for that profile, platform and user.
   */
  standing(requester: Requester, at: number): Promise<readonly Approval[]>;
}

/** What each session has taken in. It only grows, and outlives a restart. */
export interface TaintBook {
  read(session: string): Promise<readonly Taint[]>;
  /** False: it was known. */
  add(session: string, taint: Taint, at: number): Promise<boolean>;
}

/** Where the audit log ended when it was last written to. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

/** A head as somebody outside of the home is told of it. */
export interface AnchoredHead extends AuditHead {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly home: string;
}

/** Somebody outside of the home who remembers where the audit log ended. Rejects where that failed. */
export interface HeadAnchor {
  tell(head: AnchoredHead): Promise<void>;
}

/** A break that a person has accepted. It stays on record. */
export interface AcceptedBreak {
  /** The line that accepts it. */
  readonly seq: number;
  readonly problem: string;
  readonly reason: string;
  /** The head that had been written down: lines up to it may be lost. */
  readonly head?: AuditHead | undefined;
}

export type AuditVerdict =
  | {
      readonly sound: true;
      readonly entries: number;
      readonly head: string;
      readonly breaks: readonly AcceptedBreak[];
    }
  | { readonly sound: false; readonly seq: number; readonly problem: string };

export interface AuditLog {
  /**
   * Appends to the chain; the entry is on disk when this resolves. Rejects with `audit.broken` where the chain and the
   * head that was written down do not agree, now and ever after, until somebody accepts it.
   */
  append(kind: AuditKind, requester: Requester, data: Readonly<Record<string, unknown>>): Promise<AuditEntry>;
  /**
   * Writes down that a command of Hermes was refused. Where the chain is broken nothing can be appended to it: then it is
   * kept beside the break, and told by the line that accepts it.
   */
  refused(requester: Requester, data: { readonly shown: string; readonly reason: string }): Promise<void>;
  /** Goes on after a break with a line that tells of it. Only for a person; rejects where nothing is broken. */
  accept(requester: Requester, reason: string): Promise<AuditEntry>;
  read(afterSeq: number, limit: number): Promise<readonly AuditEntry[]>;
  /** The newest, in the order of their writing. */
  last(limit: number): Promise<readonly AuditEntry[]>;
  /** The hashes of these lines, as far as they are there. */
  heads(seqs: readonly number[]): Promise<ReadonlyMap<number, string | undefined>>;
  /** Follows the chain from its start to the head that was written down apart from it. */
  verify(): Promise<AuditVerdict>;
}
