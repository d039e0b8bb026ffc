import type { Ranked } from './candidate.ts';

/** When scores are taken for equal. */
export interface Nearness {
  /** The share by which they may differ. */
  readonly share: number;
  /** The same for texts that answer the query in full: there the score only tells how wordy they are. */
  readonly fullShare: number;
}

const FULL_COVERAGE = 0.8;

/**
 * Texts with the same terms of the query and nearly the same score probably tell the same thing at different times:
 * among them the newest goes first. They only change places with each other, each with the score of the place that it
 * takes, so that time never outweighs what a text says.
 */
export function newestFirst<R extends Ranked>(hits: readonly R[], near: Nearness): readonly R[] {
  const ordered = [...hits];
  const places = new Map<string, number[]>();
  for (const [at, { matched }] of hits.entries()) {
    if (matched) places.set(matched, [...(places.get(matched) ?? []), at]);
  }
  for (const group of places.values()) {
    for (const run of nearRuns(group, hits, near)) {
      const newest = run.map((at) => hits[at] as R).toSorted((a, b) => b.at - a.at);
      for (const [nth, at] of run.entries())
        ordered[at] = { ...(newest[nth] as R), score: (hits[at] as R).score };
    }
  }
  return ordered;
}

/** Cuts places, best first, into runs whose scores are near that of their first. */
function nearRuns(
  group: readonly number[],
  hits: readonly Ranked[],
  { share, fullShare }: Nearness,
): number[][] {
  const runs: number[][] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const at of group) {
    const { score, coverage } = hits[at] as Ranked;
    if (score >= least) runs.at(-1)?.push(at);
    else {
      runs.push([at]);
      least = score * (1 - (coverage >= FULL_COVERAGE ? fullShare : share));
    }
  }
  return runs;
}
