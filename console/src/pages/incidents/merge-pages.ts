interface Placed {
  readonly id: string;
  readonly createdAt: number;
}

export interface MergedPages<T> {
  readonly items: readonly T[];
  /** So many have come since the older pages were read that some are in neither. */
  readonly torn: boolean;
}

/**
 * The newest page, which is read again with every event, and the older ones, which are not. Where both speak of the same
 * time the newest is right: what is not in it has gone. `full`: how many a page holds when there may be more.
 */
export function mergePages<T extends Placed>(
  newest: readonly T[],
  older: readonly T[],
  full: number,
): MergedPages<T> {
  const last = newest.at(-1);
  if (!last || newest.length < full) return { items: newest, torn: false };
  const below = older.filter(({ createdAt }) => createdAt < last.createdAt);
  const known = new Set(older.map(({ id }) => id));
  return {
    items: [...newest, ...below],
    torn: older.length > 0 && !newest.some(({ id }) => known.has(id)),
  };
}
