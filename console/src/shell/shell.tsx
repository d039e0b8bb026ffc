import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api } from '../domains/api/api.ts';
import { type Command, useCommands, useKeyboard } from '../domains/keys/commands.tsx';
import { useLanguage, useText } from '../domains/language/language.tsx';
import { PAGES } from '../domains/pages/all-pages.ts';
import { useSession } from '../domains/session/session.tsx';
import { THEMES, useTheme } from '../domains/theme/theme.tsx';
import { Button } from '../ui/button.tsx';
import { LiveMark } from './live-mark.tsx';
import { Navigation, PhoneNavigation } from './navigation.tsx';
import { News } from './news.tsx';
import { Palette } from './palette.tsx';
import { LANGUAGE_NAMES, Preferences } from './preferences.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { shellText } from './text.ts';

/** The frame around every page: navigation, what is live, who is signed in, palette and keys. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const text = useText(shellText);
  const session = useSession();
  const [open, setOpen] = useState<'palette' | 'shortcuts'>();
  const signOut = useSignOut();
  useKeyboard();
  useCommands(useGlobalCommands());
  useCommands([
    {
      id: 'palette',
      label: text.palette,
      group: text.actions,
      keys: 'mod+k',
      hidden: true,
      run: () => setOpen('palette'),
    },
    {
      id: 'shortcuts',
      label: text.shortcuts,
      group: text.actions,
      keys: '?',
      run: () => setOpen('shortcuts'),
    },
    ...(session.authRequired
      ? [{ id: 'sign-out', label: text.signOut, group: text.actions, run: signOut }]
      : []),
  ]);
  const main = useMainFocus();
  const foot = (
    <div className="row spread">
      <span className="muted ellipsis">{text.signedIn(session.user, text.roles[session.role])}</span>
      {session.authRequired ? (
        <Button small look="plain" onClick={signOut}>
          {text.signOut}
        </Button>
      ) : null}
    </div>
  );
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {text.skip}
      </a>
      <header className="side">
        <div className="brand">
          <strong>Hermes</strong>
          <LiveMark />
        </div>
        <Button className="search" onClick={() => setOpen('palette')}>
          <span>{text.search}</span>
          <kbd className="kbd">Ctrl K</kbd>
        </Button>
        <Navigation />
        <div className="side-foot">
          <Preferences />
          {foot}
        </div>
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        {children}
      </main>
      <PhoneNavigation foot={foot} />
      <News />
      {open === 'palette' ? <Palette onClose={() => setOpen(undefined)} /> : null}
      {open === 'shortcuts' ? <Shortcuts onClose={() => setOpen(undefined)} /> : null}
    </div>
  );
}

function useSignOut(): () => void {
  const client = useQueryClient();
  return () => {
    // Whatever comes of it, the server is asked who is signed in now.
    const ask = () => client.resetQueries();
    void api.signOut().then(ask, ask);
  };
}

/** Pages, themes and languages. */
function useGlobalCommands(): readonly Command[] {
  const text = useText(shellText);
  const navigate = useNavigate();
  const { language, choose } = useLanguage();
  const theme = useTheme();
  return [
    ...PAGES.flatMap(({ path, nav }): Command[] =>
      nav
        ? [
            {
              id: `page ${path}`,
              label: nav.label[language],
              group: text.pages,
              ...(nav.key === undefined ? {} : { keys: `g ${nav.key}` }),
              run: () => void navigate(path),
            },
          ]
        : [],
    ),
    ...THEMES.map((each) => ({
      id: `theme ${each}`,
      label: text.useTheme(text.theme[each]),
      group: text.actions,
      run: () => theme.choose(each),
    })),
    ...LANGUAGE_NAMES.map(({ value, label }) => ({
      id: `language ${value}`,
      label: text.useLanguage(label),
      group: text.actions,
      run: () => choose(value),
    })),
  ];
}

/** A new page begins at its top, and whoever uses a screen reader is told so. */
function useMainFocus() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    first.current = false;
  }, [pathname]);
  return main;
}
