import { z } from 'zod';
import type { Language } from '#kit/language';

/** A text for people: one for all of them, or one in each language. */
export const Spoken = z.union([z.string(), z.strictObject({ en: z.string(), zh: z.string() })]);
export type Spoken = z.infer<typeof Spoken>;

export const inLanguage = (spoken: Spoken, language: Language): string =>
  typeof spoken === 'string' ? spoken : spoken[language];

/** All that a text says, each wording once. */
export const wordings = (spoken: Spoken): readonly string[] =>
  typeof spoken === 'string' ? [spoken] : [...new Set(Object.values(spoken))];

export const SPOKEN_FIX = 'Write a text, or one for each language: `{en: …, zh: …}`';
