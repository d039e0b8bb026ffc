import { z } from 'zod';
import { AppError } from '#kit/app-error';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { answer, count, refusal } from '../text/answer.ts';
import type { SearchHit, SearchQuery, SearchProvider } from './search/search-provider.ts';
import { brave } from './search/brave.ts';
import { duckduckgo } from './search/duckduckgo.ts';
import { exa } from './search/exa.ts';
import { firecrawl } from './search/firecrawl.ts';
import { searxng } from './search/searxng.ts';
import { tavily } from './search/tavily.ts';

const input = z.strictObject({
  query: z.string().trim().min(1).max(400),
  limit: z.int().min(1).max(10).default(5),
});

export const tool = defineTool<z.infer<typeof input>>({
  name: 'web_search',
  toolset: 'web',
  description: 'Search the web. Gives titles, addresses and snippets; read a page with web_extract.',
  input,
  effect: () => 0,
  footprint: () => ({}),
  deed: () => ({ sendsTo: ['web search'], brings: ['untrusted'] }),
  maxChars: 12_000,
  run: (query, context) => firstAnswer(query, context),
});

/** The first provider that answers; one that is down or out of quota is no reason to find nothing. */
async function firstAnswer(query: SearchQuery, context: ToolContext): Promise<ToolResult> {
  const problems: string[] = [];
  for (const provider of SEARCH_PROVIDERS.filter((one) => one.configured(context))) {
    context.signal.throwIfAborted();
    try {
      const hits = await provider.search(query, context);
      return report(query.query, provider.name, hits, problems);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, hint } = error.record;
      problems.push(hint ? `${message} ${hint}` : message);
    }
  }
  return refusal(['The web could not be searched.', ...problems].join('\n'));
}

function report(
  query: string,
  provider: string,
  hits: readonly SearchHit[],
  problems: readonly string[],
): ToolResult {
  const found = hits.map(({ title, url, snippet }, at) =>
    `${at + 1}. ${title}\n   ${url}\n   ${snippet}`.trimEnd(),
  );
  const text = found.length > 0 ? found.join('\n') : `Nothing was found for '${query}'.`;
  const notes = problems.map((problem) => `[${problem}]`);
  const summary = `${count(hits.length, 'result')} from ${provider}`;
  return answer([text, ...notes].join('\n'), summary, { provider, results: hits });
}

/** In the order of preference; the last one needs nothing. */
const SEARCH_PROVIDERS: readonly SearchProvider[] = [tavily, exa, brave, firecrawl, searxng, duckduckgo];
