import { z } from 'zod';

/**
 * Tokens of one model call. The three input kinds do not overlap:
 * everything that was read is `input + cacheRead + cacheWrite`. `reasoning` is part of `output`.
 */
export const Usage = z.object({
  input: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
  cacheRead: z.number().int().nonnegative(),
  cacheWrite: z.number().int().nonnegative(),
  reasoning: z.number().int().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;

/** US dollars for a million tokens. A missing cache price means that the input price applies. */
export const Price = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite5m: z.number().nonnegative().optional(),
  cacheWrite1h: z.number().nonnegative().optional(),
});
export type Price = z.infer<typeof Price>;
