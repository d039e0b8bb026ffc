import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { type Language, LANGUAGES, LOCALES } from '#kit/language';
import { type Formats, openFormats } from '../format/formats.ts';
import { remembered } from '../remembered.ts';
import type { Text, Words } from './define-text.ts';

interface LanguageState {
  readonly language: Language;
  readonly formats: Formats;
  choose(language: Language): void;
}

const Context = createContext<LanguageState | undefined>(undefined);
const choice = remembered('hermes.language', LANGUAGES);

const preferred = (): Language => (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en');

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(() => choice.read() ?? preferred());
  useEffect(() => {
    document.documentElement.lang = LOCALES[language];
  }, [language]);
  const state = useMemo(
    (): LanguageState => ({
      language,
      formats: openFormats(language),
      choose(next) {
        choice.write(next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <Context value={state}>{children}</Context>;
}

export function useLanguage(): LanguageState {
  const state = useContext(Context);
  if (!state) throw new Error('there is no LanguageProvider above this');
  return state;
}

export const useFormats = (): Formats => useLanguage().formats;

/** The words of a page in the language that is chosen. */
export function useText<T>(text: Text<T>): Words<T> {
  const { language } = useLanguage();
  return text[language] as Words<T>;
}
