import { z } from 'zod';

/** What a change came to, where there is nothing to tell. */
export const Done = z.object({ done: z.boolean() });

/** How far a call reaches: 0 only reads, 3 cannot be taken back. */
export const Level = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);
