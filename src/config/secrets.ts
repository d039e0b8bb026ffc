import { isRecord } from '#kit/is-record';
import { type ConfigPath, formatPath } from './config-path.ts';
import { references } from './expand.ts';
import { childOf, type Field } from './field.ts';
import { ROOT } from './schema.ts';

export interface Secret {
  readonly path: ConfigPath;
  readonly value: string;
}

/** Every string that the schema calls a secret, whether it is a `${NAME}` or the secret itself. */
export function secretsIn(value: unknown, field: Field | undefined, path: ConfigPath = []): Secret[] {
  if (!field) return [];
  if (typeof value === 'string') return field.doc?.secret ? [{ path, value }] : [];
  if (Array.isArray(value))
    return value.flatMap((item, i) => secretsIn(item, childOf(field, i), [...path, i]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => secretsIn(item, childOf(field, key), [...path, key]));
}

/**
 * Gives each secret of `data` that stands in clear text a variable. One that another key refers to
 * for another secret is not reused.
 */
export function nameSecrets(
  bare: readonly Secret[],
  data: unknown,
  env: Readonly<Record<string, string>>,
  nameFor: (path: string) => string,
): { path: ConfigPath; variable: string; secret: string }[] {
  const taken = new Map<string, string | undefined>();
  for (const { value } of secretsIn(data, ROOT)) {
    for (const name of references(value)) taken.set(name, env[name]);
  }
  return bare.map(({ path, value: secret }) => {
    const wanted = nameFor(formatPath(path));
    let variable = wanted;
    for (let n = 2; taken.has(variable) && taken.get(variable) !== secret; n++) variable = `${wanted}_${n}`;
    taken.set(variable, secret);
    return { path, variable, secret };
  });
}

/** A copy of `whole` with something else at one place inside it. */
export function replaceAt(whole: unknown, path: ConfigPath, value: string): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (Array.isArray(whole))
    return whole.map((item, i) => (i === first ? replaceAt(item, rest, value) : item));
  return isRecord(whole) ? { ...whole, [first]: replaceAt(whole[first], rest, value) } : whole;
}
