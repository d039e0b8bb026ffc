/** How long the second key of a sequence may take. */
const SEQUENCE_MS = 1_200;

/** What was pressed, as shortcuts are written: `g i`, `mod+k`, `?`, `Enter`. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const mod = event.ctrlKey || event.metaKey ? 'mod+' : '';
  const alt = event.altKey ? 'alt+' : '';
  return `${mod}${alt}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;
}

/** Follows keys and tells which of the known shortcuts they complete. */
export function keySequence(now: () => number) {
  let before: { readonly key: string; readonly at: number } | undefined;
  return (key: string, known: ReadonlySet<string>): string | undefined => {
    const pair = before && now() - before.at < SEQUENCE_MS ? `${before.key} ${key}` : undefined;
    if (pair !== undefined && known.has(pair)) {
      before = undefined;
      return pair;
    }
    before = { key, at: now() };
    return known.has(key) ? key : undefined;
  };
}
