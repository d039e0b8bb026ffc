import { type ReactNode, useState } from 'react';
import { NavLink } from 'react-router';
import { useLanguage, useText } from '../domains/language/language.tsx';
import { PAGES } from '../domains/pages/all-pages.ts';
import { type ConsolePage, NAV_GROUPS } from '../domains/pages/define-page.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Preferences } from './preferences.tsx';
import { shellText } from './text.ts';

type Listed = ConsolePage & { readonly nav: NonNullable<ConsolePage['nav']> };
const LISTED = PAGES.filter((page): page is Listed => page.nav !== undefined);
/** So many have room at the bottom of a phone. */
const PHONE = 4;
const MOST_COUNTED = 99;

export function Navigation() {
  const text = useText(shellText);
  return (
    <nav className="nav" aria-label={text.navigation}>
      {NAV_GROUPS.map((group) => {
        const pages = LISTED.filter(({ nav }) => nav.group === group);
        return pages.length ? (
          <div key={group}>
            <div className="nav-group">{text.groups[group]}</div>
            <ul>
              {pages.map((page) => (
                <li key={page.path}>
                  <Entry page={page} />
                </li>
              ))}
            </ul>
          </div>
        ) : null;
      })}
    </nav>
  );
}

export function PhoneNavigation({ foot }: { readonly foot: ReactNode }) {
  const text = useText(shellText);
  const [more, setMore] = useState(false);
  return (
    <nav className="phone-nav" aria-label={text.navigation}>
      {LISTED.slice(0, PHONE).map((page) => (
        <Entry key={page.path} page={page} />
      ))}
      <Button look="plain" onClick={() => setMore(true)}>
        <Icon path="M3 8h.01M8 8h.01M13 8h.01" />
        {text.more}
      </Button>
      {more ? (
        <Dialog title={text.more} onClose={() => setMore(false)}>
          <div className="stack-16">
            <ul className="nav" onClick={() => setMore(false)}>
              {LISTED.slice(PHONE).map((page) => (
                <li key={page.path}>
                  <Entry page={page} />
                </li>
              ))}
            </ul>
            <Preferences />
            {foot}
          </div>
        </Dialog>
      ) : null}
    </nav>
  );
}

const none = () => 0;

function Entry({ page: { path, nav } }: { readonly page: Listed }) {
  const { language } = useLanguage();
  const useCount = nav.useCount ?? none;
  const count = useCount();
  return (
    <NavLink to={path} end={path === '/'} className="nav-entry" title={nav.key && `g ${nav.key}`}>
      <Icon path={nav.icon} />
      <span className="ellipsis">{nav.label[language]}</span>
      {count > 0 ? (
        <span className="nav-count">{count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}</span>
      ) : null}
    </NavLink>
  );
}

const Icon = ({ path }: { readonly path: string }) => (
  <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={path} />
  </svg>
);
