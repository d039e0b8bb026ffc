import { fail } from '#kit/app-error';
import type { PageNode } from '../extract/page-node.ts';
import { parsePage } from '../extract/parse-page.ts';
import { askService } from '../../services/ask-service.ts';
import { type SearchHit, type SearchProvider, tidyHits } from './search-provider.ts';

/** Looks like a browser's request; the endpoint answers others with a riddle. */
const HEADERS = {
  accept: 'text/html',
  'accept-language': 'en',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Hermes',
};

/** Works without a key, by the page that DuckDuckGo gives to browsers without scripts. */
export const duckduckgo: SearchProvider = {
  name: 'DuckDuckGo',
  configured: () => true,
  async search({ query, limit }, context) {
    const url = `https://html.duckduckgo.com/html/?${new URLSearchParams({ q: query })}`;
    const { body } = await askService({ name: 'DuckDuckGo', url, headers: HEADERS }, context);
    return readResults(new TextDecoder().decode(body), limit);
  },
};

/** The page changes without notice: what cannot be read is told apart from what was not found. */
async function readResults(html: string, limit: number): Promise<readonly SearchHit[]> {
  const page = await parsePage(html);
  const links = [...page.querySelectorAll('a')].filter(isResult);
  if (links.length === 0 && !/no-results|No results/i.test(html)) {
    const why = /anomaly|captcha|challenge/i.test(html)
      ? 'asks for proof of being human'
      : 'answered in a form that is not known';
    throw fail(
      'tool.failed',
      `DuckDuckGo ${why}.`,
      'Set a key such as TAVILY_API_KEY or BRAVE_API_KEY, or SEARXNG_URL.',
    );
  }
  const hits = links.map((link) => ({ title: link.textContent, url: target(link), snippet: snippet(link) }));
  return tidyHits(hits, limit);
}

/** Both pages, `html` and `lite`, by their classes; failing those, by the redirect that all results go through. */
function isResult(link: PageNode): boolean {
  const classes = link.getAttribute?.('class') ?? '';
  if (advert(link)) return false;
  if (/\bresult(?:__a|-link)\b/.test(classes)) return true;
  return classes === '' && /[?&]uddg=/.test(link.getAttribute?.('href') ?? '');
}

const advert = (link: PageNode): boolean =>
  /\bresult--ad\b|\bresult-sponsored\b/.test(
    ancestor(link, /\bresult\b|\bresult-sponsored\b/)?.getAttribute?.('class') ?? '',
  ) || /\/y\.js\?/.test(link.getAttribute?.('href') ?? '');

function target(link: PageNode): string {
  const url = URL.parse(link.getAttribute?.('href') ?? '', 'https://duckduckgo.com/');
  return url?.searchParams.get('uddg') ?? url?.href ?? '';
}

function snippet(link: PageNode): string {
  const box = ancestor(link, /\bresult\b|\bresult__body\b/);
  const inBox = box?.querySelector?.('.result__snippet')?.textContent;
  if (inBox) return inBox;
  // In the lite page the words stand in the row after the link's.
  let row = ancestor(link, /./, 'TR')?.nextElementSibling;
  for (let steps = 0; row && steps < 3; steps += 1, row = row.nextElementSibling) {
    const found = row.querySelector?.('.result-snippet')?.textContent;
    if (found) return found;
  }
  return '';
}

function ancestor(start: PageNode, classes: RegExp, name?: string): PageNode | undefined {
  for (let node = start.parentNode; node; node = node.parentNode) {
    if (name ? node.nodeName === name : classes.test(node.getAttribute?.('class') ?? '')) return node;
  }
  return undefined;
}
