import { z } from 'zod';

/** A sentence of the server, in every language. */
export const Worded = z.object({ en: z.string(), zh: z.string() });
export type Worded = z.infer<typeof Worded>;

/** What a change came to, where there is nothing to tell. */
export const Done = z.object({ done: z.boolean() });

/** How far a call reaches: 0 only reads, 3 cannot be taken back. */
export const Level = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);
