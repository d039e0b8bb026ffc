import type { CauseCategory } from './incident.ts';
import type { IncidentSummary } from './incident-record.ts';
import type { Operation, Recovery } from './remedy.ts';
import type { SkillEdit } from './learning.ts';

export type SkillChange = Pick<SkillEdit, 'skill' | 'action' | 'by' | 'at'>;

/** How long something took, by incident. */
export interface DigestSpread {
  /** The shortest first. */
  readonly values: readonly { readonly incident: string; readonly ms: number }[];
  readonly median?: number;
  /** Nine of ten took no longer. */
  readonly p90?: number;
}

/** One day, or one hour of a short time. */
export interface DigestBucket {
  readonly start: number;
  readonly end: number;
  readonly opened: readonly string[];
  readonly ended: readonly string[];
  /** Of the incidents that were opened. */
  readonly alerts: number;
  /** The median of those whose recovery was verified, in milliseconds. */
  readonly recoverMs?: number;
}

/** What was carried out, and what came of it. */
export interface DoneAction {
  readonly operation: Operation;
  readonly incidents: readonly string[];
  readonly recovered: readonly string[];
  readonly notRecovered: readonly string[];
}

/** An action that was carried out, or tried, and did not end the incident. */
export interface FailedAction {
  readonly incident: string;
  readonly operation?: Operation | undefined;
  readonly service?: string | undefined;
  /** What the verification said, or what became of the action. */
  readonly status: Recovery['status'] | 'failed' | 'unknown' | 'refused';
  readonly at: string;
}

/** Ids of incidents stand for every number, so that each can be followed. */
type Ids = readonly string[];

/**
 * What happened in a stretch of time. Everything is counted when it happened, so that the days of a week add up to the
 * week: an incident that was opened on Monday and ended on Tuesday is one opened on Monday and one ended on Tuesday.
 */
export interface IncidentDigest {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  /** Everything that ids below stand for. */
  readonly incidents: readonly Omit<IncidentSummary, 'note'>[];
  readonly opened: Ids;
  readonly ended: Readonly<Record<'recovered' | 'resolved' | 'closed', Ids>>;
  readonly buckets: readonly DigestBucket[];
  readonly times: {
    /** From the start of the trouble to the incident. */
    readonly detect: DigestSpread;
    /** From the incident to its first cause that was certain. */
    readonly diagnose: DigestSpread;
    /** From the request to the answer of a person. */
    readonly decide: DigestSpread;
    /** From the start of the trouble to the verified recovery. */
    readonly recover: DigestSpread;
  };
  readonly severities: readonly { readonly severity: IncidentSummary['severity']; readonly incidents: Ids }[];
  /** Where the fault was, or what the alert named where that is not known. */
  readonly services: readonly { readonly service: string; readonly incidents: Ids }[];
  readonly causes: readonly { readonly cause: CauseCategory | 'unknown'; readonly incidents: Ids }[];
  /** Whose last verdict of this time was not certain. */
  readonly inconclusive: Ids;
  readonly approvals: Readonly<Record<'requested' | 'granted' | 'denied' | 'expired', Ids>>;
  readonly done: readonly DoneAction[];
  readonly notRecovered: readonly FailedAction[];
  /** The same cause in the same service more than once. */
  readonly repeated: readonly {
    readonly service: string;
    readonly cause: CauseCategory;
    readonly incidents: Ids;
  }[];
  readonly noise: {
    readonly deliveries: number;
    readonly alerts: number;
    /** The incidents with the most alerts. */
    readonly loudest: readonly {
      readonly incident: string;
      readonly alerts: number;
      readonly deliveries: number;
    }[];
  };
  readonly learned: {
    readonly lessons: Ids;
    readonly memories: number;
    readonly skills: readonly { readonly name: string; readonly incident: string }[];
    readonly workflows: readonly { readonly name: string; readonly incident: string }[];
    readonly knowledge: Ids;
    readonly evalCases: Ids;
    /** The oldest first. */
    readonly edits: readonly SkillChange[];
  };
}
