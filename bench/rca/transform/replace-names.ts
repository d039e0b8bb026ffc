const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const wholeNames = (names: readonly string[]): RegExp =>
  new RegExp(
    `(?<![A-Za-z0-9])(?:${names
      .toSorted((one, other) => other.length - one.length)
      .map(escaped)
      .join('|')})(?![A-Za-z0-9])`,
    'g',
  );

/** A name in a text, where it is not a part of a longer word. */
export const replaceName = (text: string, name: string, by: string): string =>
  text.replace(wholeNames([name]), () => by);

/** All of these names, wherever they stand in the texts of a value; the longest first. */
export function nameReplacer(names: ReadonlyMap<string, string>): <T>(value: T) => T {
  if (!names.size) return (value) => value;
  const pattern = wholeNames([...names.keys()]);
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(pattern, (name) => names.get(name) ?? name);
    if (Array.isArray(value)) return typeof value[0] === 'number' ? value : value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaced(part)]));
  };
  return <T>(value: T): T => replaced(value) as T;
}
