import { AppError } from '#kit/app-error';

/** Keys and places in lists, from the top of the file. */
export type KeyPath = readonly (string | number)[];

/** What is wrong with `backends.yaml`. Its details say at which key, for whoever knows the lines of the file. */
export function invalidBackends(
  path: KeyPath,
  message: string,
  meant?: string,
  known: readonly string[] = [],
): AppError {
  const hint = meant
    ? `Did you mean '${meant}'?`
    : known.length > 0
      ? `Known are: ${known.join(', ')}.`
      : undefined;
  return new AppError({
    code: 'config.invalid',
    message: `backends.yaml: ${message}`,
    retry: { again: false },
    ...(hint ? { hint } : {}),
    details: { problems: [{ path: [...path], message }] },
  });
}
