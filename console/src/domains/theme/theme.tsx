import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { remembered } from '../remembered.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

interface ThemeState {
  readonly theme: Theme;
  /** What is shown, once `system` is resolved. */
  readonly shown: 'light' | 'dark';
  choose(theme: Theme): void;
}

const Context = createContext<ThemeState | undefined>(undefined);
const choice = remembered('hermes.theme', THEMES);
const dark = matchMedia('(prefers-color-scheme: dark)');

export function ThemeProvider({ children }: { readonly children: ReactNode }) {
  const [theme, setTheme] = useState<Theme>(() => choice.read() ?? 'system');
  const [systemDark, setSystemDark] = useState(dark.matches);
  useEffect(() => {
    const changed = () => setSystemDark(dark.matches);
    dark.addEventListener('change', changed);
    return () => dark.removeEventListener('change', changed);
  }, []);
  const shown = theme === 'system' ? (systemDark ? 'dark' : 'light') : theme;
  // Before anything below paints: charts read their colours from it.
  document.documentElement.dataset['theme'] = shown;
  const state = useMemo(
    (): ThemeState => ({
      theme,
      shown,
      choose(next) {
        choice.write(next);
        setTheme(next);
      },
    }),
    [theme, shown],
  );
  return <Context value={state}>{children}</Context>;
}

export function useTheme(): ThemeState {
  const state = useContext(Context);
  if (!state) throw new Error('there is no ThemeProvider above this');
  return state;
}
