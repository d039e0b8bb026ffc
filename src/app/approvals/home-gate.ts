import type { Gate } from '#engines/gate';
import type { Approver } from '#spec/data';
import type { ApprovalStore, AuditLog } from '#spec/ports';

/** Why whoever speaks through a channel cannot be taken for a person. */
export type PersonProof = (by: Approver) => string | undefined;

/** The gate of one home with its records, shared by every conversation and every process that has the home open. */
export interface HomeGate extends Gate {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  /** Why whoever speaks through a channel cannot be taken for a person. */
  readonly unproven: PersonProof;
  close(): Promise<void>;
}
