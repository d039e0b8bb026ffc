import { z } from 'zod';
import { defineTool } from '#spec/ports';
import { ARXIV, askArxiv } from './arxiv.ts';
import { answer, count } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';
import { hostOf } from '../../services/host-of.ts';

const input = z.strictObject({
  query: z.string().min(1).max(300),
  category: z
    .string()
    .regex(/^[a-z-]+(?:\.[A-Z-]+)?$/i)
    .optional()
    .describe('such as cs.SE'),
  max_results: z.int().min(1).max(50).default(10),
  sort: z.enum(['relevance', 'submittedDate', 'lastUpdatedDate']).default('relevance'),
});

export const tool = defineTool<z.infer<typeof input>>({
  name: 'paper_search',
  toolset: 'actions',
  description: 'Search arXiv for papers.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  deed: () => ({ sendsTo: [hostOf(ARXIV)], brings: ['untrusted'] }),
  run: ({ query, category, max_results, sort }, context) =>
    asResult(async () => {
      const words = query
        .replace(/["()]/g, ' ')
        .trim()
        .split(/\s+/)
        .map((word) => `all:${word}`)
        .join(' AND ');
      const papers = await askArxiv(
        {
          search_query: category === undefined ? words : `cat:${category} AND (${words})`,
          start: '0',
          max_results: String(max_results),
          sortBy: sort,
          sortOrder: 'descending',
        },
        context,
      );
      const lines = papers.map(
        ({ id, title, authors, published }) =>
          `${id} ${title} (${authors.slice(0, 3).join(', ')}; ${published})`,
      );
      return answer(lines.join('\n') || 'Nothing was found.', count(papers.length, 'paper'), {
        papers,
        count: papers.length,
        query,
      });
    }),
});
