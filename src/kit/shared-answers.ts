/** Answers that everyone who asks within `ms` shares, also while they are being looked up. */
export function sharedAnswers<T>(
  ms: number,
  now: () => number,
): (key: string, look: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();
  return (key, look) => {
    const at = now();
    for (const [old, { until }] of known) if (until <= at) known.delete(old);
    const found = known.get(key);
    if (found) return found.answer;
    const answer = look();
    // While it takes longer than that, it is still the newest there is.
    const entry = { until: Infinity, answer };
    known.set(key, entry);
    const settle = (until: number) => () => {
      if (known.get(key) === entry) known.set(key, { until, answer });
    };
    answer.then(
      () => settle(now() + ms)(),
      () => settle(0)(),
    );
    return answer;
  };
}
