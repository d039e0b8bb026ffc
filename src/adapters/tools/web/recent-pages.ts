import type { ExtractedPage } from './extract/extract-page.ts';

const MOST_PAGES = 5;

/** The last pages that a conversation has read, so that the parts of one belong together. */
export async function recentPages() {
  const pages = new Map<string, ExtractedPage>();
  return {
    find: (url: string) => pages.get(url),
    keep(url: string, page: ExtractedPage): void {
      pages.delete(url);
      pages.set(url, page);
      for (const oldest of pages.keys()) {
        if (pages.size <= MOST_PAGES) break;
        pages.delete(oldest);
      }
    },
    close: async () => pages.clear(),
  };
}
