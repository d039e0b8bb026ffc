import type { Language } from '#spec/data';

export type { Language };

/** What `Intl`, `lang` of a page and the like call each language. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };
/** The languages that every surface speaks. */
export const LANGUAGES = Object.keys(LOCALES) as readonly Language[];

/** The language of a text: Chinese as soon as it has Chinese characters. */
export const languageOf = (text: string): Language => (/[㐀-鿿]/.test(text) ? 'zh' : 'en');

/** The language that somebody named, or else English. */
const namedLanguage = (name: string | undefined): Language =>
  LANGUAGES.find((language) => language === name) ?? 'en';

/** The language of a locale such as `zh_CN.UTF-8`. */
export const languageOfLocale = (locale: string | undefined): Language =>
  namedLanguage(/^[a-z]+/i.exec(locale ?? '')?.[0].toLowerCase());
