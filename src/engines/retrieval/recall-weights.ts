/** What counts how much when hits are put in order. The best match of the terms counts 1. */
export interface RecallWeights {
  readonly vectors: number;
  readonly hrr: number;
  /** Taken off a text that does nothing but ask: a question answers no other question. */
  readonly asking: number;
  /** For what a text has to say: times the logarithm of its different terms, which count up to `enough`. */
  readonly length: number;
  readonly enough: number;
  /** The share of a group's best score that all of its members get. */
  readonly group: number;
  /** The shares by which scores may differ and still count as equal, so that the newest goes first. */
  readonly near: { readonly share: number; readonly fullShare: number };
}

/** Chosen by measurement, see the README. Holograms lowered every figure: they are off. */
export const RECALL_WEIGHTS: RecallWeights = {
  vectors: 0.6,
  hrr: 0,
  asking: 0.5,
  length: 0.08,
  enough: 60,
  group: 0.5,
  near: { share: 0.01, fullShare: 0.2 },
};

/** What holograms count where they are asked for. */
export const HRR_WEIGHT = 0.3;
