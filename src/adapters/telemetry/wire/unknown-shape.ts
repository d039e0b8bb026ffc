import { type AppError, fail } from '#kit/app-error';
import type { Connection } from './open-connection.ts';

/** The answer is JSON, and of no shape that this backend is known to give. */
export const unknownShape = ({ backend }: Pick<Connection, 'backend'>, path: string): AppError =>
  fail(
    'backend.bad_response',
    `${backend} answered ${path} in a shape that is not known.`,
    'Check that base_url is the address of its API.',
  );
