import type { z } from 'zod';
import { fail } from '#kit/app-error';
import type { RouteRequest } from '#spec/ports';

const DEFAULT_BYTES = 1_000_000;

/** To be called before a signature is computed over the body. */
export function checkSize({ body }: RouteRequest, maxBytes = DEFAULT_BYTES): void {
  if (body.byteLength > maxBytes)
    throw fail('input.too_large', `The request has ${body.byteLength} bytes; ${maxBytes} is the most.`);
}

export function readText(request: RouteRequest, maxBytes = DEFAULT_BYTES): string {
  checkSize(request, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(request.body);
  } catch (thrown) {
    throw fail('input.invalid', 'The request is not text in UTF-8.', undefined, thrown);
  }
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw fail('input.invalid', `${what} is not JSON.`, undefined, thrown);
  }
}

/** What a schema makes of a value; the error names the first place that does not fit, never the value. */
export function readShape<T>(schema: z.ZodType<T>, value: unknown, what: string, hint?: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue ? placeOf(issue.path) : '';
  const where = place ? `${what}, at '${place}'` : what;
  throw fail('input.invalid', `${where}: ${issue?.message ?? 'it cannot be read'}.`, hint);
}

/** `alerts[3].labels.severity`. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
