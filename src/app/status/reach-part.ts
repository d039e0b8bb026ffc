import type { Reachable } from '#kit/reach-book';
import type { ReachView } from './view-reach.ts';

/** What a home reaches out to, by part. Platforms of the gateway will be one more. */
export type ReachPart = ReachView['part'];

export interface PartReachable extends Omit<Reachable, 'id'> {
  readonly name: string;
}

/** How far a question may go. */
export interface AskingManner {
  /** Somebody waits for the answer: programs may be started and files read through for it. */
  readonly onDemand: boolean;
}
