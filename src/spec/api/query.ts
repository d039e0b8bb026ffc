import { z } from 'zod';
import { Language } from '#spec/data';

/** A whole number, such as an instant in milliseconds. */
export function whole(least = 1) {
  const told = `it is a whole number from ${least} on.`;
  return z.coerce.number<number>(told).int(told).min(least, told);
}

/** At most so many: who asks for more gets the most. */
export const upTo = (most: number, otherwise = most) =>
  whole()
    .default(otherwise)
    .transform((asked) => Math.min(asked, most));

/** Off for everything but `true`. */
export const flag = () =>
  z
    .union([z.boolean(), z.string()])
    .optional()
    .transform((given) => String(given) === 'true');

export const text = (most?: number) =>
  (most === undefined ? z.string() : z.string().transform((given) => given.slice(0, most))).optional();

/** Of what is said. English where it is neither. */
export const language = () => Language.default('en').catch('en').describe('`en` or `zh`, for what is said');

/** Several of an enumeration, with commas between. */
export const listOf = <T extends string>(names: readonly T[]) =>
  z.string().transform((given, context): T[] =>
    given
      .split(',')
      .filter(Boolean)
      .flatMap((each) => {
        const known = names.find((name) => name === each);
        if (known === undefined)
          context.issues.push({ code: 'custom', input: given, message: `it is one of ${names.join(', ')}.` });
        return known ?? [];
      }),
  );
