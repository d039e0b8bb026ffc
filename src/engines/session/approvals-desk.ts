import type { Approval } from '#spec/data';

/** How far a person's agreement reaches when it is given by a command. */
export const REACHES = ['once', 'session', 'always'] as const;
export type Reach = (typeof REACHES)[number];

/** The requests for agreement that this conversation may see and answer. */
export interface ApprovalsDesk {
  pending(): Promise<readonly Approval[]>;
  /** Rejects with an `AppError` where it is too late, unknown, or not this person's to decide. */
  decide(id: string, granted: boolean, reach: Reach): Promise<Approval>;
}
