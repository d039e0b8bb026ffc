import type { RankedHit } from './rank-hits.ts';

/** Scores that differ by less than this share are taken for equal. */
export const NEAR = { share: 0.05 };

/**
 * Where neighbours in the order have the same terms of the query and nearly the same score, they probably tell the
 * same thing at different times: the newest goes first. Nothing else is moved, so that time never outweighs what a
 * message says.
 */
export function newestFirst(hits: readonly RankedHit[]): readonly RankedHit[] {
  const ordered = [...hits];
  const groups = new Map<string, number[]>();
  for (const [at, { matched }] of hits.entries()) {
    if (!matched) continue;
    groups.set(matched, [...(groups.get(matched) ?? []), at]);
  }
  for (const places of groups.values()) {
    for (let from = 0; from < places.length; ) {
      const best = hits[places[from] as number] as RankedHit;
      let to = from + 1;
      while (
        to < places.length &&
        (hits[places[to] as number] as RankedHit).score >= best.score * (1 - NEAR.share)
      )
        to++;
      const run = places.slice(from, to);
      const newest = run.map((at) => hits[at] as RankedHit).toSorted((a, b) => b.message.at - a.message.at);
      for (const [k, at] of run.entries()) ordered[at] = newest[k] as RankedHit;
      from = to;
    }
  }
  return ordered;
}
