import type { Language } from '#kit/language';
import { useLanguage, useText } from '../domains/language/language.tsx';
import { type Theme, THEMES, useTheme } from '../domains/theme/theme.tsx';
import { Choice } from '../ui/field.tsx';
import { shellText } from './text.ts';

/** Each in its own words: whoever looks for theirs must be able to read it. */
export const LANGUAGE_NAMES: readonly { readonly value: Language; readonly label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'zh', label: '中文' },
];

export function Preferences() {
  const text = useText(shellText);
  const { language, choose } = useLanguage();
  const theme = useTheme();
  return (
    <div className="preferences">
      <Choice label={text.languageLabel} options={LANGUAGE_NAMES} value={language} onChange={choose} />
      <Choice<Theme>
        label={text.themeLabel}
        options={THEMES.map((value) => ({ value, label: text.theme[value] }))}
        value={theme.theme}
        onChange={theme.choose}
      />
    </div>
  );
}
