/** Cosines that lie closer together than this tell little about which is better. */
const LEAST_RANGE = 0.1;

/** Where a cosine stands among those that were found: 1 for the best, 0 for the last of many. */
export function relativeLikeness(similarities: readonly number[]): (similarity: number) => number {
  const most = Math.max(...similarities);
  const least = Math.min(...similarities, most - LEAST_RANGE);
  return (similarity) => (similarity - least) / (most - least);
}
