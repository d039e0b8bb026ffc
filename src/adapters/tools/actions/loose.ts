import { z } from 'zod';
import { isRecord } from '#kit/is-record';

/** Paths as other actions give them: strings, records with a `path` or `file`, or one text. */
export const Paths = z.union([z.array(z.unknown()), z.string(), z.null()]).optional();

export function pathsIn(given: z.infer<typeof Paths>): string[] {
  const list = Array.isArray(given) ? given : given ? given.split(/[\n,]/) : [];
  const paths = list.map((entry) => (isRecord(entry) ? (entry.path ?? entry.file) : entry));
  return [...new Set(paths.filter((path) => typeof path === 'string').map((path) => path.trim()))].filter(
    (path) => path !== '' && !path.includes('\0'),
  );
}

/** The list that stands under one of these keys, or the value itself if it is one. */
export function listIn(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [];
  for (const key of keys) {
    const found = value[key];
    if (Array.isArray(found)) return found;
  }
  return [];
}

export const stringIn = (value: unknown, key: string): string | undefined => {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
};

export const numberIn = (value: unknown, key: string): number | undefined => {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

/** A value as JSON, from text where text is what came. Undefined for nothing. */
export function jsonOrText(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  const text = value.trim();
  if (text === '') return undefined;
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // It only began like JSON: then it is text.
    return text;
  }
}
