import { type ConsolePage, NAV_GROUPS } from './define-page.ts';

const found = import.meta.glob<ConsolePage>('../../pages/*/page.ts', { eager: true, import: 'page' });
const LAST = Number.MAX_SAFE_INTEGER;
const groupOf = ({ nav }: ConsolePage) => (nav ? NAV_GROUPS.indexOf(nav.group) : LAST);

/** Every page of the console, in the order of the navigation. */
export const PAGES: readonly ConsolePage[] = Object.values(found).toSorted(
  (one, other) => groupOf(one) - groupOf(other) || (one.nav?.order ?? LAST) - (other.nav?.order ?? LAST),
);
