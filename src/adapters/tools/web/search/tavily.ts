import { z } from 'zod';
import { askJson } from '../../services/ask-service.ts';
import { type SearchProvider, tidyHits } from './search-provider.ts';

const Answer = z.object({
  results: z.array(
    z.object({ title: z.unknown().optional(), url: z.unknown().optional(), content: z.unknown().optional() }),
  ),
});

export const tavily: SearchProvider = {
  name: 'Tavily',
  configured: (place) => place.key('TAVILY_API_KEY') !== undefined,
  async search({ query, limit }, context) {
    const secret = context.key('TAVILY_API_KEY');
    const { results } = await askJson(
      {
        name: 'Tavily',
        url: 'https://api.tavily.com/search',
        headers: { authorization: `Bearer ${secret}` },
        json: { query, max_results: limit },
        secret,
        keys: 'TAVILY_API_KEY',
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
