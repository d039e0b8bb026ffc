import { type AppError, fail } from '#kit/app-error';

/** A file of a bundle that does not hold what its name says. `line` counts from 1. */
export function malformed(path: string, line: number | undefined, why: string, cause?: unknown): AppError {
  const place = line === undefined ? path : `${path}, line ${line}`;
  return fail('input.invalid', `${place}: ${why}`, 'Export the incident again, or mend the file.', cause);
}
