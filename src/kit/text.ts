import type { Spoken, Text } from '#spec/data';
import { type Language, LANGUAGES } from './language.ts';

export type { Spoken, Text };

/** What is said in one language. A plain string is a name, a number or a quotation: the same in every language. */
export const say = (text: Text | string, language: Language): string =>
  typeof text === 'string' ? text : text[language];

/** A sentence in every language, one beside the other. */
export const tell = (en: string, zh: string): Text => ({ en, zh });

/** A text that is made in each language by itself. */
export const inEvery = (make: (language: Language) => string): Text =>
  Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, string>;

/** A string as a text: the same in every language. */
export const asText = (text: Text | string): Text => inEvery((language) => say(text, language));

/** One after the other, with the gap of each language between them. */
export const joinTexts = (texts: readonly (Text | string)[], gap: Text | string): Text =>
  inEvery((language) => texts.map((text) => say(text, language)).join(say(gap, language)));

/** Each once, by what they say in every language. */
export const uniqueTexts = (texts: readonly Text[]): Text[] => [
  ...new Map(texts.map((text) => [JSON.stringify(text), text])).values(),
];

/** Words of one language: sentences, sentences with gaps, and groups of both. */
type Gap<T> = T extends string ? (string extends T ? T | Text : T) : T;
type Gaps<T extends readonly unknown[]> = { [K in keyof T]: Gap<T[K]> };
export type Catalogue<Words> = {
  readonly [K in keyof Words]: Words[K] extends string
    ? Text
    : Words[K] extends (...gaps: infer G) => string
      ? (...gaps: Gaps<G>) => Text
      : Catalogue<Words[K]>;
};

/**
 * The words of a module, which has a table for each language, as words that give texts. What is put into the gap of a
 * sentence may be a text itself: each language takes its own.
 */
export function catalogue<Words extends object>(tables: Readonly<Record<Language, Words>>): Catalogue<Words> {
  const lifted = Object.keys(tables.en).map((key) => {
    const at = (language: Language): unknown => tables[language][key as keyof Words];
    const one = at('en');
    if (typeof one === 'string') return [key, inEvery((language) => at(language) as string)];
    if (typeof one !== 'function')
      return [key, catalogue(Object.fromEntries(LANGUAGES.map((each) => [each, at(each)])) as Tables)];
    const fill = (...gaps: readonly unknown[]): Text =>
      inEvery((language) =>
        (at(language) as (...own: unknown[]) => string)(...gaps.map((gap) => own(gap, language))),
      );
    return [key, fill];
  });
  return Object.fromEntries(lifted) as Catalogue<Words>;
}

type Tables = Readonly<Record<Language, object>>;

const own = (gap: unknown, language: Language): unknown =>
  typeof gap === 'object' && gap !== null && isText(gap) ? gap[language] : gap;

/** A whole record, or a list of them, for a reader of one language: every text in it becomes what it says there. */
export function spoken<T>(value: T, language: Language): Spoken<T> {
  const read = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return one.map(read);
    if (isText(one)) return one[language];
    return Object.fromEntries(Object.entries(one).map(([key, field]) => [key, read(field)]));
  };
  return read(value) as Spoken<T>;
}

function isText(value: object): value is Text {
  const keys = Object.keys(value);
  return keys.length === LANGUAGES.length && LANGUAGES.every((language) => language in value);
}
