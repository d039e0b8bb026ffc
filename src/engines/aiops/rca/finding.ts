import type { CauseCategory, Evidence } from '#spec/data';

/** Where a finding comes from. Two findings of one source are not two independent reasons. */
export type FindingSource =
  | 'resource'
  | 'latency'
  | 'errors'
  | 'call_edge'
  | 'self_time'
  | 'error_origin'
  | 'log_flow'
  | 'log_burst'
  | 'version'
  | 'store'
  | 'silence';

/** Evidence before it is cited. */
export type FoundEvidence = Omit<Evidence, 'id' | 'score'>;

/** Something that changed, that speaks for one service as the place of the fault. */
export interface Finding {
  readonly source: FindingSource;
  readonly service: string;
  /** 0 to 1. */
  readonly strength: number;
  /** How likely as much is seen where nothing happened, among all that were looked at. Absent where nobody can say. */
  readonly chance?: number;
  readonly category: CauseCategory;
  readonly evidence: FoundEvidence;
}

/** What nothing brings about more often than once in twenty may be chance. */
export const MAY_BE_CHANCE = 0.05;

/** What is known at second hand, or in part, counts for half. */
export const HALF = 1 / 2;

/** Grows from 0 towards 1 and is a half at `half`: more is always more, and never everything. */
export function soft(value: number, half: number): number {
  if (!(value > 0)) return 0;
  return Number.isFinite(value) ? value / (value + half) : 1;
}
