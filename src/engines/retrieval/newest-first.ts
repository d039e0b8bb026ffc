import type { RankedHit } from './rank-hits.ts';

/** Scores that differ by less than this share are taken for equal. */
const NEAR = {
  share: 0.05,
  /** The same for messages that answer the query in full: there the score only tells how wordy they are. */
  fullShare: 0.4,
  full: 0.8,
};

/**
 * Messages with the same terms of the query and nearly the same score probably tell the same thing at different times:
 * among them the newest goes first. They only change places with each other, so that time never outweighs what a
 * message says.
 */
export function newestFirst(hits: readonly RankedHit[]): readonly RankedHit[] {
  const ordered = [...hits];
  const places = new Map<string, number[]>();
  for (const [at, { matched }] of hits.entries()) {
    if (matched) places.set(matched, [...(places.get(matched) ?? []), at]);
  }
  for (const group of places.values()) {
    for (const run of nearRuns(group, hits)) {
      const newest = run.map((at) => hits[at] as RankedHit).toSorted((a, b) => b.message.at - a.message.at);
      for (const [nth, at] of run.entries()) ordered[at] = newest[nth] as RankedHit;
    }
  }
  return ordered;
}

/** Cuts places, best first, into runs whose scores are near that of their first. */
function nearRuns(group: readonly number[], hits: readonly RankedHit[]): number[][] {
  const runs: number[][] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const at of group) {
    const { score, coverage } = hits[at] as RankedHit;
    if (score >= least) runs.at(-1)?.push(at);
    else {
      runs.push([at]);
      least = score * (1 - (coverage >= NEAR.full ? NEAR.fullShare : NEAR.share));
    }
  }
  return runs;
}
