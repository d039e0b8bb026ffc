import type { Ranked } from './candidate.ts';

/** What stands in the same group as something better gets a share of that one's score. Gives them best first. */
export function shareGroup<R extends Ranked>(hits: readonly R[], share: number): R[] {
  const best = new Map<string, number>();
  for (const { group, score } of hits) best.set(group, Math.max(score, best.get(group) ?? 0));
  return hits
    .map((hit) => ({ ...hit, score: hit.score + share * (best.get(hit.group) ?? 0) }))
    .toSorted((a, b) => b.score - a.score);
}
