import type { QueryTerm } from './choose-terms.ts';

/** Something that can be found: a message, a memory entry, a skill, a piece of knowledge. */
export interface Candidate {
  readonly id: string;
  /** What it stands together with, such as its session. One that stands alone is a group of its own. */
  readonly group: string;
  /** When it was said or came to be true, in milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  /** Who said it. Only the `hrr` scorer looks at it: the index has it in a field of its own. */
  readonly speaker?: string | undefined;
  /** How often it was used. Only the `seed` scorer looks at it. */
  readonly accesses?: number | undefined;
}

export interface Scored extends Candidate {
  /** Higher is better. */
  readonly score: number;
}

/** A candidate that was compared with the query. */
export type Ranked<T extends Candidate = Candidate> = T & {
  readonly score: number;
  /** The terms of the query that the text itself has, as one text. */
  readonly matched: string;
  /** How much of what the query tells those terms carry, from 0 to 1. */
  readonly coverage: number;
};

/** What a score was made of, each from 0 to 1. */
interface ScoreParts {
  /** The terms, where the best match is 1. */
  readonly text: number;
  /** The cosine, where the best one is 1 and what the vectors did not find is 0. */
  readonly vector: number;
  readonly hrr: number;
}

/** What adds something to a score, or takes something off it. */
export type ScoreShare =
  | 'terms'
  | 'vectors'
  | 'hrr'
  | 'length'
  | 'asking'
  | 'group'
  | 'newest'
  | 'recency'
  | 'use';

export type Recalled<T extends Candidate = Candidate> = Ranked<T> & {
  readonly parts: ScoreParts;
  /** The points that each part gave; together they are the score. Absent ones gave none. */
  readonly shares: Readonly<Partial<Record<ScoreShare, number>>>;
};

/** What a query found, before the two ways are made one. */
export interface RecallHits<T extends Candidate> {
  /** The terms of the query, from `chooseTerms`. */
  readonly terms: readonly QueryTerm[];
  /** From the full-text index, with its score. */
  readonly textHits: readonly { readonly candidate: T; readonly score: number }[];
  /** From the vectors, with the cosine; empty where there are none. */
  readonly vectorHits?: readonly { readonly candidate: T; readonly similarity: number }[];
}
