const PREFIX_DIGITS = 16;
const LEAST_DIGITS = 12;

/** What stands in `plugins.allowed` for a plugin as it is now. */
export const allowanceOf = (name: string, digest: string): string =>
  `${name}@${digest.slice(0, PREFIX_DIGITS)}`;

/**
 * Whether a plugin may run. An entry is `name@digest`, the beginning of the digest being enough if it is long enough to
 * mean something, or a bare `name`, which allows whatever is in the folder.
 */
export function judge(
  allowed: readonly string[],
  name: string,
  digest: string,
): 'allowed' | 'changed' | 'unknown' {
  const entries = allowed.map((entry) => entry.split('@')).filter(([of]) => of === name);
  if (entries.length === 0) return 'unknown';
  const fits = entries.some(
    ([, prefix]) =>
      prefix === undefined || (prefix.length >= LEAST_DIGITS && digest.startsWith(prefix.toLowerCase())),
  );
  return fits ? 'allowed' : 'changed';
}
