import type { z } from 'zod';
import { isRecord } from '#kit/is-record';
import { MOST_ROWS } from './limits.ts';
import { malformed } from './malformed.ts';

/** One JSON record a line. */
export function parseLines<T>(text: string, path: string, record: z.ZodType<T>): T[] {
  const lines = text.split('\n');
  if (lines.length > MOST_ROWS) throw malformed(path, MOST_ROWS, `has more than ${MOST_ROWS} rows`);
  const found: T[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== '') found.push(parseJson(line, path, record, index + 1));
  }
  return found;
}

/** One JSON value that must have a shape. */
export function parseJson<T>(text: string, path: string, record: z.ZodType<T>, line?: number): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed(path, line, `is not JSON: ${(cause as Error).message}`, cause);
  }
  const strict = record.safeParse(value);
  if (strict.success) return strict.data;
  // Some exporters write null where others leave a field out.
  const parsed = record.safeParse(withoutNulls(value));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? ` at '${issue.path.join('.')}'` : '';
  throw malformed(path, line, `${issue?.message ?? 'has another shape'}${where}`);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutNulls(part)]));
}
