import { brave } from './brave.ts';
import { duckduckgo } from './duckduckgo.ts';
import { exa } from './exa.ts';
import { firecrawl } from './firecrawl.ts';
import type { SearchProvider } from './search-provider.ts';
import { searxng } from './searxng.ts';
import { tavily } from './tavily.ts';

/** In the order of preference; the last one needs nothing. */
export const SEARCH_PROVIDERS: readonly SearchProvider[] = [
  tavily,
  exa,
  brave,
  firecrawl,
  searxng,
  duckduckgo,
];
