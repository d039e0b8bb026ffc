import type { z } from 'zod';
import type { Connection, QueryParameters } from './open-connection.ts';
import { unknownShape } from './unknown-shape.ts';

/** Where a backend is asked, and with what. */
export type Question = readonly [path: string, parameters: QueryParameters, signal: AbortSignal];

/** Reads answers of one shape; another shape is an error that says which path gave it. */
export const readerOf =
  (connection: Connection) =>
  async <T>(schema: z.ZodType<T>, ...[path, parameters, signal]: Question): Promise<T> => {
    const answer = schema.safeParse(await connection.read(path, parameters, signal));
    if (answer.success) return answer.data;
    throw unknownShape(connection, path);
  };
