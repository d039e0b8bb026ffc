import { type AppError, fail } from '#kit/app-error';

/** Something that was brought is not what it should be. */
export const refuse = (why: string, cause?: unknown): AppError =>
  fail('tool.refused', why, 'Get it from somebody you know, or leave it.', cause);
