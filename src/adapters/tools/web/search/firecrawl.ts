import { z } from 'zod';
import { askJson } from '../../services/ask-service.ts';
import { type SearchProvider, tidyHits } from './search-provider.ts';

const Hits = z.array(
  z.object({
    title: z.unknown().optional(),
    url: z.unknown().optional(),
    description: z.unknown().optional(),
  }),
);
/** The second version of the API sorts by source; the first one gives a plain list. */
const Answer = z.object({ data: z.union([Hits, z.object({ web: Hits.default([]) })]) });

export const firecrawl: SearchProvider = {
  name: 'Firecrawl',
  configured: (place) => place.key('FIRECRAWL_API_KEY') !== undefined,
  async search({ query, limit }, context) {
    const secret = context.key('FIRECRAWL_API_KEY');
    const { data } = await askJson(
      {
        name: 'Firecrawl',
        url: 'https://api.firecrawl.dev/v2/search',
        headers: { authorization: `Bearer ${secret}` },
        json: { query, limit },
        secret,
        keys: 'FIRECRAWL_API_KEY',
      },
      Answer,
      context,
    );
    const hits = Array.isArray(data) ? data : data.web;
    return tidyHits(
      hits.map(({ title, url, description }) => ({ title, url, snippet: description })),
      limit,
    );
  },
};
