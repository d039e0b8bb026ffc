import type { z } from 'zod';
import { AppError } from '#kit/app-error';
import { parseJson } from '../parse-json.ts';
import { badParam } from './openai-error.ts';

/** Reads a body by its schema. What the schema does not name is left alone, as such servers do. */
export function readRequest<T>(body: Uint8Array, schema: z.ZodType<T>): T {
  let given: unknown;
  try {
    given = parseJson(body);
  } catch (cause) {
    throw new AppError(
      { code: 'input.invalid', message: 'The body is not JSON.', retry: { again: false } },
      { cause },
    );
  }
  return checked(given, schema);
}

/** Reads a part of a body by its schema. `at`: where it stands. */
export function checked<T>(given: unknown, schema: z.ZodType<T>, at: readonly PropertyKey[] = []): T {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const param = pathOf([...at, ...(issue?.path ?? [])]);
  throw badParam(param, `${param || 'The body'}: ${issue?.message ?? 'it is not valid'}`);
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`))
    .join('');
