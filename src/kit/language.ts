/** The languages that every surface speaks. */
export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of a text: Chinese as soon as it has Chinese characters. */
export const languageOf = (text: string): Language => (/[㐀-鿿]/.test(text) ? 'zh' : 'en');

/** The language of a locale such as `zh_CN.UTF-8`. */
export const languageOfLocale = (locale: string | undefined): Language =>
  /^zh/i.test(locale ?? '') ? 'zh' : 'en';
