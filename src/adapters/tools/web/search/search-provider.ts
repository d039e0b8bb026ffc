import { dropHidden } from '#kit/hidden-characters';
import type { ToolContext, ToolPlace } from '#spec/ports';

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

export interface SearchQuery {
  readonly query: string;
  readonly limit: number;
}

/** A place that can be searched. */
export interface SearchProvider {
  readonly name: string;
  /** Whether the profile has what it needs. */
  configured(place: ToolPlace): boolean;
  search(query: SearchQuery, context: ToolContext): Promise<readonly SearchHit[]>;
}

const MOST_TITLE = 200;
const MOST_SNIPPET = 500;

/** Brings what vendors send into one form: plain text, bounded, web addresses only, each page once. */
export function tidyHits(
  hits: Iterable<Partial<Record<keyof SearchHit, unknown>>>,
  limit: number,
): SearchHit[] {
  const found = new Map<string, SearchHit>();
  for (const { title, url, snippet } of hits) {
    const address = typeof url === 'string' ? URL.parse(url) : null;
    if (!address || !/^https?:$/.test(address.protocol) || found.has(address.href)) continue;
    const name = plain(title, MOST_TITLE) || address.host;
    found.set(address.href, { title: name, url: address.href, snippet: plain(snippet, MOST_SNIPPET) });
    if (found.size >= limit) break;
  }
  return [...found.values()];
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  nbsp: ' ',
};

function plain(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  const text = dropHidden(value.slice(0, 4 * MOST_SNIPPET))
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}
