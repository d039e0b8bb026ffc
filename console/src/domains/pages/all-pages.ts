import type { ConsolePage } from './define-page.ts';

const found = import.meta.glob<ConsolePage>('../../pages/*/page.ts', { eager: true, import: 'page' });

/** Every page of the console, in the order of the navigation. */
export const PAGES: readonly ConsolePage[] = Object.values(found).toSorted(
  (one, other) => (one.nav?.order ?? Number.MAX_SAFE_INTEGER) - (other.nav?.order ?? Number.MAX_SAFE_INTEGER),
);
