import { z } from 'zod';

/** What a person is told about a key. */
export interface FieldDoc {
  readonly en: string;
  readonly zh: string;
  /** Never shown, and kept in `.env`: config.yaml holds only `${NAME}`. */
  readonly secret?: true;
  /** Never shown, but written where it is set. */
  readonly hidden?: true;
}

/** Descriptions of the schema's keys, registered on the outermost schema of each. */
export const fieldDocs = z.registry<FieldDoc>();
