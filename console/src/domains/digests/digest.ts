import type { CauseCategory, IncidentSummary, Operation, Recovery, SkillEdit } from '#spec/data';

/** What `GET /api/digests` answers. Ids of incidents stand for every number. */
type Ids = readonly string[];

interface Spread {
  /** The shortest first. */
  readonly values: readonly { readonly incident: string; readonly ms: number }[];
  readonly median?: number;
  readonly p90?: number;
}

export const STAGES = ['detect', 'diagnose', 'decide', 'recover'] as const;
export type Stage = (typeof STAGES)[number];

interface DigestBucket {
  readonly start: number;
  readonly end: number;
  readonly opened: Ids;
  readonly ended: Ids;
  readonly alerts: number;
  readonly recoverMs?: number;
}

export type DigestIncident = Omit<IncidentSummary, 'note'>;

export interface Digest {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  /** There were more incidents than are counted. */
  readonly cut: boolean;
  readonly incidents: readonly DigestIncident[];
  readonly opened: Ids;
  readonly ended: Readonly<Record<'recovered' | 'resolved' | 'closed', Ids>>;
  readonly buckets: readonly DigestBucket[];
  readonly times: Readonly<Record<Stage, Spread>>;
  readonly severities: readonly { readonly severity: IncidentSummary['severity']; readonly incidents: Ids }[];
  readonly services: readonly { readonly service: string; readonly incidents: Ids }[];
  readonly causes: readonly { readonly cause: CauseCategory | 'unknown'; readonly incidents: Ids }[];
  readonly inconclusive: Ids;
  readonly approvals: Readonly<Record<'requested' | 'granted' | 'denied' | 'expired', Ids>>;
  readonly done: readonly {
    readonly operation: Operation;
    readonly incidents: Ids;
    readonly recovered: Ids;
    readonly notRecovered: Ids;
  }[];
  readonly notRecovered: readonly {
    readonly incident: string;
    readonly operation?: Operation;
    readonly service?: string;
    readonly status: Recovery['status'] | 'failed' | 'unknown' | 'refused';
    readonly at: string;
  }[];
  readonly repeated: readonly {
    readonly service: string;
    readonly cause: CauseCategory;
    readonly incidents: Ids;
  }[];
  readonly noise: {
    readonly deliveries: number;
    readonly alerts: number;
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
    readonly edits: readonly Pick<SkillEdit, 'skill' | 'action' | 'by' | 'at'>[];
  };
}
