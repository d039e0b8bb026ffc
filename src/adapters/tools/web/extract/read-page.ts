import { dropHidden } from '#kit/hidden-characters';
import type { PageDocument, PageNode } from './page-node.ts';
import { parsePage } from './parse-page.ts';
import { scanMarkup } from './scan-markup.ts';
import { toMarkdown } from './to-markdown.ts';

export interface ReadPage {
  readonly title: string;
  readonly text: string;
  /** The page is made by scripts: what it shows is not in what was sent. */
  readonly needsBrowser: boolean;
  /** Its end was left out. */
  readonly cut: boolean;
}

/** What lies behind is left out: a tree of more takes seconds to build and to read. */
const MOST_NODES = 20_000;
/** Pages with more are taken as they are: looking for the article in them takes too long. */
const MOST_NODES_OF_ARTICLE = 12_000;
/** No person nests deeper; what does is read without a tree. */
const MOST_DEPTH = 300;
const FEW_CHARS = 250;
const BOILERPLATE = 'nav,footer,aside,form,[role="navigation"],[role="banner"],[role="contentinfo"]';

/** The words of a page as Markdown: the article where there is one, the whole page otherwise. */
export async function readPage(html: string, url: string): Promise<ReadPage> {
  const scan = scanMarkup(html, MOST_NODES);
  const cut = scan.end < html.length;
  const read = scan.depth > MOST_DEPTH ? undefined : await readTree(html.slice(0, scan.end), scan.nodes, url);
  return { ...(read ?? { title: '', text: dropHidden(scan.words()), needsBrowser: false }), cut };
}

/** Undefined for a page that breaks the parser: its words are there all the same. */
async function readTree(
  html: string,
  nodes: number,
  url: string,
): Promise<Omit<ReadPage, 'cut'> | undefined> {
  try {
    const page = await parsePage(html);
    const title = dropHidden(page.title ?? '')
      .replace(/\s+/g, ' ')
      .trim();
    const base = baseOf(page, url);
    const article = nodes > MOST_NODES_OF_ARTICLE ? undefined : await articleOf(html, base);
    const found = article !== undefined && article.length >= FEW_CHARS;
    const text = found ? article : longer(article, wholePage(page, base));
    return { title, text, needsBrowser: text.length < FEW_CHARS && isMadeByScripts(page, html) };
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A short article next to a long page is one that was not found: a list, an index, a front page. */
const longer = (one: string | undefined, other: string): string =>
  one !== undefined && one.length * 2 > other.length ? one : other;

function baseOf(page: PageDocument, url: string): string {
  const href = page.querySelector('base')?.getAttribute?.('href');
  return (href && URL.parse(href, url)?.href) || url;
}

/** It takes the document apart, so it gets one of its own. */
async function articleOf(html: string, base: string): Promise<string | undefined> {
  const { Readability } = await import('@mozilla/readability');
  const document = await parsePage(html);
  try {
    const reader = new Readability<PageNode>(document, {
      serializer: (node: unknown) => node as PageNode,
      keepClasses: true,
      disableJSONLD: true,
    });
    const content = reader.parse()?.content;
    return content ? toMarkdown(content, base) : undefined;
  } catch {
    // Pages that break the reader (odd nesting, no body) still have words.
    return undefined;
  }
}

function wholePage(page: PageDocument, base: string): string {
  const body = page.querySelector('main') ?? page.body;
  if (!body) return '';
  const text = toMarkdown(body, base);
  for (const node of [...page.querySelectorAll(BOILERPLATE)]) node.remove?.();
  const trimmed = toMarkdown(body, base);
  return trimmed.length >= FEW_CHARS ? trimmed : text;
}

function isMadeByScripts(page: PageDocument, html: string): boolean {
  const asks =
    /enable javascript|javascript is (?:required|disabled)|requires javascript|checking your browser/i;
  const frame = page.querySelector('#root,#app,#__next,#__nuxt,[data-reactroot],app-root') !== null;
  return asks.test(html) || frame || [...page.querySelectorAll('script')].length >= 3;
}
