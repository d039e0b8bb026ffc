/** Keeps what was found out about a key for a while. A failure is not kept; the oldest leave when there are many. */
export function remember<T>(keepMs: number, now: () => number, most = 16) {
  const kept = new Map<string, { at: number; value: T }>();
  return async (key: string, find: () => Promise<T>): Promise<T> => {
    const known = kept.get(key);
    if (known && now() - known.at < keepMs) return known.value;
    const value = await find();
    kept.delete(key);
    kept.set(key, { at: now(), value });
    for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - most))) kept.delete(old);
    return value;
  };
}
