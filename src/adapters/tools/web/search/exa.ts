import { z } from 'zod';
import { askJson } from '../../services/ask-service.ts';
import { type SearchProvider, tidyHits } from './search-provider.ts';

const Answer = z.object({
  results: z.array(
    z.object({
      title: z.unknown().optional(),
      url: z.unknown().optional(),
      text: z.unknown().optional(),
      highlights: z.array(z.string()).optional().catch(undefined),
    }),
  ),
});

export const exa: SearchProvider = {
  name: 'Exa',
  configured: (place) => place.key('EXA_API_KEY') !== undefined,
  async search({ query, limit }, context) {
    const secret = context.key('EXA_API_KEY');
    const { results } = await askJson(
      {
        name: 'Exa',
        url: 'https://api.exa.ai/search',
        headers: { 'x-api-key': secret ?? '' },
        json: {
          query,
          numResults: limit,
          contents: { highlights: { numSentences: 2, highlightsPerUrl: 2 } },
        },
        secret,
        keys: 'EXA_API_KEY',
      },
      Answer,
      context,
    );
    return tidyHits(
      results.map(({ title, url, text, highlights }) => ({
        title,
        url,
        snippet: highlights?.join(' … ') ?? text,
      })),
      limit,
    );
  },
};
