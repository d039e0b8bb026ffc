import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import type { ConfigPath } from './config-path.ts';
import { childOf, type Field } from './field.ts';

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** A `${NAME}` whose variable is unset or empty. */
export interface Unset {
  readonly path: ConfigPath;
  readonly variable: string;
}

/** The names that a text refers to. */
export function references(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, name]) => name as string);
}

/** True for a text that is nothing but one `${NAME}`. */
export const isReference = (text: string): boolean => /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(text);

/**
 * Replaces `${NAME}` in every string, reports unset ones, and drops keys without a value.
 * A value that only an unset variable would fill counts as not set, except for a secret or a required key:
 * there it is empty, so that whoever needs it can tell which variable is missing.
 */
export function expand(
  value: unknown,
  field: Field | undefined,
  env: Readonly<Record<string, string>>,
  unset: Unset[],
  path: ConfigPath = [],
): unknown {
  if (typeof value === 'string') return expandText(value, field, env, unset, path);
  if (Array.isArray(value)) {
    return value.map((item, i) => expand(item, field && childOf(field, i), env, unset, [...path, i]));
  }
  if (!isRecord(value)) return value;
  const out: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === null) continue;
    const expanded = expand(item, field && childOf(field, key), env, unset, [...path, key]);
    if (expanded !== undefined) out.push([key, expanded]);
  }
  return Object.fromEntries(out);
}

function expandText(
  text: string,
  field: Field | undefined,
  env: Readonly<Record<string, string>>,
  unset: Unset[],
  path: ConfigPath,
): unknown {
  if (!text.includes('${')) return text;
  for (const variable of references(text)) if (!env[variable]) unset.push({ path, variable });
  const expanded = text.replace(REFERENCE, (_, name: string) => env[name] ?? '');
  if (expanded === '' && field && !field.required && !field.doc?.secret) return undefined;
  return field ? fromText(expanded, field) : expanded;
}

/** A text as the number, truth value or list (with commas) that the schema wants; unchanged where it is none. */
export function fromText(text: string, { schema }: Field): unknown {
  if (schema instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  if (schema instanceof z.ZodNumber && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())) {
    return Number(text);
  }
  if (schema instanceof z.ZodArray && !text.trim().startsWith('['))
    return text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  return text;
}
