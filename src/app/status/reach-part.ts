import type { Reachable } from '#kit/reach-book';

/** What a home reaches out to, by part. Platforms of the gateway will be one more. */
export const REACH_PARTS = ['model', 'telemetry', 'executors', 'mcp', 'stores'] as const;
export type ReachPart = (typeof REACH_PARTS)[number];

export interface PartReachable extends Omit<Reachable, 'id'> {
  readonly name: string;
}

/** How far a question may go. */
export interface AskingManner {
  /** Somebody waits for the answer: programs may be started and files read through for it. */
  readonly onDemand: boolean;
}
