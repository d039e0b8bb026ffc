import { isRecord } from '#kit/is-record';

/** What templates and conditions can name: arguments, outputs by their keys, `memory`, `skill`, `run`, the time. */
export type Scope = Readonly<Record<string, unknown>>;

/** A name that leads nowhere. `path` is as the author wrote it. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName';
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/**
 * The value at a path. Nothing but own properties is ever looked at. What is below a value that is not there because
 * its step did not run is null, and so is what memory does not have; any other name that leads nowhere throws.
 */
export function lookUp(scope: Scope, parts: readonly string[]): unknown {
  const path = parts.join('.');
  const [root = '', ...rest] = parts;
  if (!Object.hasOwn(scope, root)) throw new UnknownName(path, `nothing is called '${root}' here`);
  let value = scope[root];
  let seen = root;
  for (const part of rest) {
    if (value === null || value === undefined) return null;
    if (!hasOwn(value, part)) {
      if (root === 'memory') return null;
      throw new UnknownName(path, `'${seen}' has no '${part}'${namesOf(value)}`);
    }
    value = (value as Record<string, unknown>)[part];
    seen += `.${part}`;
  }
  return value ?? null;
}

/** Own properties of objects and arrays alone: neither methods nor characters of a text. */
export const hasOwn = (value: unknown, part: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, part);

function namesOf(value: unknown): string {
  if (Array.isArray(value)) return `: it is a list of ${value.length}`;
  if (!isRecord(value)) return `: it is ${typeof value === 'string' ? 'a text' : `a ${typeof value}`}`;
  const names = Object.keys(value).slice(0, 12);
  return names.length > 0 ? `; it has ${names.join(', ')}` : ', it is empty';
}

/** A value inside a text. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(asText).join(', ');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.stringify(value) ?? '';
}
