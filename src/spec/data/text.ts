import { z } from 'zod';

/** The languages that every surface speaks. A further one here, and the compiler names every place that lacks it. */
const LANGUAGES = ['en', 'zh'] as const;
export const Language = z.enum(LANGUAGES);
export type Language = z.infer<typeof Language>;

/**
 * A sentence for people in every language: whoever shows it chooses. Rows of earlier versions hold plain strings: such a
 * string reads as itself in every language, and a language that a row does not know reads as English.
 */
export const Text = z.preprocess(
  (row) => (isFields(row) ? { ...inEvery(row['en']), ...row } : inEvery(row)),
  z.record(Language, z.string()).readonly(),
);
export type Text = Readonly<Record<Language, string>>;

/** A record with its sentences in one language. */
export type Spoken<T> = T extends Text
  ? string
  : T extends readonly (infer Item)[]
    ? Spoken<Item>[]
    : T extends object
      ? { [K in keyof T]: Spoken<T[K]> }
      : T;

const isFields = (row: unknown): row is Readonly<Record<string, unknown>> =>
  typeof row === 'object' && row !== null;
const inEvery = (value: unknown): object =>
  Object.fromEntries(LANGUAGES.map((language) => [language, value]));

/**
 * Before `Text`, a record had a sentence in one language and, where it had others, those in a field `said`. To be put
 * before the schema of such a record.
 */
export const withSaid =
  (...fields: readonly string[]) =>
  (row: unknown): unknown => {
    if (!isFields(row) || !isFields(row['said'])) return row;
    const { said, ...rest } = row as { readonly said: Readonly<Record<string, unknown>> };
    const texts = fields
      .filter((field) => field in rest)
      .map((field) => [
        field,
        { ...inEvery((rest as Record<string, unknown>)[field]), ...ofField(said, field) },
      ]);
    return { ...rest, ...Object.fromEntries(texts) };
  };

const ofField = (said: Readonly<Record<string, unknown>>, field: string): object =>
  Object.fromEntries(
    Object.entries(said).flatMap(([language, told]) => {
      const own = isFields(told) ? told[field] : told;
      return typeof own === 'string' ? [[language, own]] : [];
    }),
  );
