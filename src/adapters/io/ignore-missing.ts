/** Undefined for what is not there. Anything else is thrown again. */
export function ignoreMissing(cause: unknown): undefined {
  if (isMissing(cause)) return undefined;
  throw cause;
}

export function isMissing(cause: unknown): boolean {
  const { code } = cause as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
