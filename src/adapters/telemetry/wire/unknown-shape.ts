import { type AppError, fail } from '#kit/app-error';
import { tell } from '#kit/text';
import { CHECK_ADDRESS, type Connection } from './open-connection.ts';

/** The answer is JSON, and of no shape that this backend is known to give. */
export const unknownShape = ({ backend }: Pick<Connection, 'backend'>, path: string): AppError =>
  fail(
    'backend.bad_response',
    tell(
      `${backend} answered ${path} in a shape that is not known.`,
      `${backend} 对 ${path} 的应答格式未知。`,
    ),
    CHECK_ADDRESS,
  );
