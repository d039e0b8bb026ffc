import { z } from 'zod';
import { askJson } from '../../services/ask-service.ts';
import { type SearchProvider, tidyHits } from './search-provider.ts';

/** An answer without a part `web` has found nothing. */
const Answer = z.object({
  web: z
    .object({
      results: z.array(
        z.object({
          title: z.unknown().optional(),
          url: z.unknown().optional(),
          description: z.unknown().optional(),
        }),
      ),
    })
    .optional(),
});

export const brave: SearchProvider = {
  name: 'Brave',
  configured: (place) => place.key('BRAVE_API_KEY') !== undefined,
  async search({ query, limit }, context) {
    const secret = context.key('BRAVE_API_KEY');
    const { web } = await askJson(
      {
        name: 'Brave',
        url: `https://api.search.brave.com/res/v1/web/search?${new URLSearchParams({ q: query, count: String(limit) })}`,
        headers: { 'x-subscription-token': secret ?? '' },
        secret,
        keys: 'BRAVE_API_KEY',
      },
      Answer,
      context,
    );
    return tidyHits(
      (web?.results ?? []).map(({ title, url, description }) => ({ title, url, snippet: description })),
      limit,
    );
  },
};
