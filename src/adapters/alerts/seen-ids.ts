import { fail } from '#kit/app-error';

const CAPACITY = 20_000;
const KEPT_MS = 24 * 60 * 60_000;

/** A bounded memory of what was delivered, for as long as the process lives. */
export interface SeenIds {
  /** Throws for an id that was claimed before. Gives the way to forget it again. */
  claim(id: string, now: number): () => void;
}

export function seenIds({ capacity = CAPACITY, keptMs = KEPT_MS } = {}): SeenIds {
  /** In the order of claiming, so that the oldest are first. */
  const seen = new Map<string, number>();
  return {
    claim(id, now) {
      for (const [old, at] of seen) {
        if (seen.size < capacity && now - at <= keptMs) break;
        seen.delete(old);
      }
      if (seen.has(id)) throw fail('input.conflict', 'This was delivered before, and is not taken twice.');
      seen.set(id, now);
      return () => void seen.delete(id);
    },
  };
}
