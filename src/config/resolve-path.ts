import { z } from 'zod';
import { fail } from '#kit/app-error';
import { type ConfigPath, formatPath, parsePath } from './config-path.ts';
import { unknownKey } from './explain-issue.ts';
import { childOf, type Field, keysOf } from './field.ts';
import { ROOT } from './schema.ts';

export interface ResolvedPath {
  readonly path: ConfigPath;
  readonly field: Field;
}

/**
 * Finds what a person's key means in the schema, or throws `input.invalid` with a suggestion.
 * A name with dots in it needs no brackets where only one reading fits: `prices.gpt-4.1.input`.
 */
export function resolvePath(text: string): ResolvedPath {
  const asked = parsePath(text);
  return walk(ROOT, [], asked) ?? refuse(asked);
}

function walk(field: Field, done: ConfigPath, rest: ConfigPath): ResolvedPath | undefined {
  if (rest.length === 0) return { path: done, field };
  const most = field.schema instanceof z.ZodRecord ? rest.length : 1;
  for (let count = 1; count <= most; count++) {
    const segment = count === 1 ? toIndex(field, rest[0]) : rest.slice(0, count).join('.');
    const child = segment === undefined ? undefined : childOf(field, segment);
    const found = child && walk(child, [...done, segment as string | number], rest.slice(count));
    if (found) return found;
  }
  return undefined;
}

/** `fallback.0` means the same as `fallback[0]`. */
function toIndex(field: Field, segment: string | number | undefined): string | number | undefined {
  const isPosition =
    field.schema instanceof z.ZodArray && typeof segment === 'string' && /^\d+$/.test(segment);
  return isPosition ? Number(segment) : segment;
}

function refuse(asked: ConfigPath): never {
  let field = ROOT;
  const done: (string | number)[] = [];
  for (const asIs of asked) {
    const segment = toIndex(field, asIs) as string | number;
    const child = childOf(field, segment);
    if (!child) break;
    field = child;
    done.push(segment);
  }
  const unknown = asked[done.length] ?? '';
  const message = keysOf(field)
    ? `${formatPath([...done, unknown])}: ${unknownKey(done, String(unknown))}`
    : `${formatPath(done)} has no ${formatPath([unknown])} in it`;
  throw fail('input.invalid', message, 'To see every key: hermes config list');
}
