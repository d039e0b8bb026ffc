import type { ReachBook } from '#kit/reach-book';
import type { Reach } from '#spec/data';
import type { ReachPart } from './reach-part.ts';

/** One thing of a home, and whether it can be reached. */
export interface ReachedThing {
  readonly part: ReachPart;
  readonly name: string;
  readonly reach: Reach;
}

export interface HomeReach extends Pick<ReachBook, 'askAll' | 'watch'> {
  /** What is known. Asks nobody. */
  things(): readonly ReachedThing[];
}
