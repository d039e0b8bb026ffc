import type { z } from 'zod';
import { fail } from '#kit/app-error';
import type { RouteRequest } from '#spec/ports';
import { parseJson } from '../parse-json.ts';

/** The body as a schema wants it. `otherwise` stands for no body at all. Throws `input.invalid`. */
export function readJson<T>({ body }: RouteRequest, schema: z.ZodType<T>, otherwise?: unknown): T {
  let given: unknown;
  try {
    given = body.length === 0 && otherwise !== undefined ? otherwise : parseJson(body);
  } catch {
    throw fail('input.invalid', 'The body is not JSON.');
  }
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw fail(
    'input.invalid',
    `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'it is not valid'}`,
  );
}

/** A whole number of the query, at most `most`. */
export function readNumber(query: URLSearchParams, name: string, most: number, otherwise = most): number {
  const given = query.get(name);
  if (given === null) return otherwise;
  const value = Number(given);
  if (!Number.isInteger(value) || value < 1)
    throw fail('input.invalid', `${name}: it is a whole number from 1 on.`);
  return Math.min(value, most);
}
