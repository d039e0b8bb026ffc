import { z } from 'zod';
import { askJson } from '../../services/ask-service.ts';
import { serviceUrl } from '../../services/service-urls.ts';
import { type SearchProvider, tidyHits } from './search-provider.ts';

const Answer = z.object({
  results: z.array(
    z.object({ title: z.unknown().optional(), url: z.unknown().optional(), content: z.unknown().optional() }),
  ),
});

/** An instance of the user's own; its settings must list `json` among the formats. */
export const searxng: SearchProvider = {
  name: 'SearXNG',
  configured: (place) => serviceUrl(place, 'SEARXNG_URL') !== undefined,
  async search({ query, limit }, context) {
    const base = serviceUrl(context, 'SEARXNG_URL');
    const { results } = await askJson(
      {
        name: 'SearXNG',
        url: `${base}/search?${new URLSearchParams({ q: query, format: 'json' })}`,
        keys: 'search.formats in the settings of SearXNG: it has to list json',
      },
      Answer,
      context,
    );
    return tidyHits(
      results.map(({ title, url, content }) => ({ title, url, snippet: content })),
      limit,
    );
  },
};
