/** How eagerly is learned. Every number has a default that the benchmark was run with. */
export interface LearningSettings {
  /** Successes of one kind after which a skill is drafted. */
  readonly draftAfter: number;
  /** How alike two tasks have to be to count as one kind, from 0 to 1. */
  readonly alike: number;
  /** Steps that keep failing are replaced, missing ones added, needless ones dropped. */
  readonly repair: boolean;
  /** Uses that say the same before a step is changed. */
  readonly repairAfter: number;
  /** Uses of each of two versions before they are compared. */
  readonly leastUses: number;
  /** Uses in a row in which a skill did not help, before it is no longer offered. */
  readonly demoteAfter: number;
  /** Experiences between two reflective passes. */
  readonly reflectEvery: number;
  readonly staleDays: number;
  readonly archiveDays: number;
  /** Experiences that are kept in mind; older ones stay in the book. */
  readonly mostKept: number;
}

export const LEARNING_DEFAULTS: LearningSettings = {
  draftAfter: 3,
  alike: 0.5,
  repair: true,
  repairAfter: 2,
  leastUses: 3,
  demoteAfter: 3,
  reflectEvery: 15,
  staleDays: 30,
  archiveDays: 90,
  mostKept: 400,
};
