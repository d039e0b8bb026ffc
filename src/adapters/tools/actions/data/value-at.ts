import { isRecord } from '#kit/is-record';

/**
 * The value at a path such as `results[0].name` or `items[*].id`; `[*]` and `*` give a list of all. Only own fields are
 * seen. Undefined where there is none.
 */
export function valueAt(value: unknown, path: string): unknown {
  return walk(value, parts(path));
}

const parts = (path: string): string[] =>
  path
    .replace(/^\$\.?/, '')
    .replace(
      /\[(?:'([^']*)'|"([^"]*)"|(\d+|\*))\]/g,
      (_, a?: string, b?: string, c?: string) => `.${a ?? b ?? c ?? ''}`,
    )
    .split('.')
    .filter(Boolean);

function walk(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value;
  if (first === '*') {
    const all = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
    const found = all.map((entry: unknown) => walk(entry, rest)).filter((entry) => entry !== undefined);
    return rest.includes('*') ? found.flat() : found;
  }
  if (Array.isArray(value)) return first === 'length' ? value.length : walk(value[Number(first)], rest);
  return isRecord(value) && Object.hasOwn(value, first) ? walk(value[first], rest) : undefined;
}
