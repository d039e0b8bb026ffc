/** The row that somebody moved to: its key, and where it was then. */
export interface Place {
  readonly key: string;
  readonly index: number;
}

/** Where a row is now: others may have come before it. -1: nowhere. */
export function findPlace<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  place: Place | undefined,
): number {
  if (!place) return -1;
  const there = items[place.index];
  return there !== undefined && keyOf(there) === place.key
    ? place.index
    : items.findIndex((item) => keyOf(item) === place.key);
}

/** So many rows on. Where the row has gone, from where it was. */
export function movePlace(found: number, place: Place | undefined, by: number, count: number): number {
  const from = found >= 0 ? found : (place?.index ?? 0) - (by > 0 ? 1 : 0);
  return Math.max(0, Math.min(count - 1, from + by));
}
