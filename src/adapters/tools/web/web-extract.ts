import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { answer, count, refusal } from '../text/answer.ts';
import { asResult } from '../services/as-result.ts';
import { type ExtractedPage, extractPage } from './extract/extract-page.ts';
import { hostOf } from '../services/host-of.ts';

const PART = 20_000;

const input = z.strictObject({
  url: z.string().min(1).max(4_000),
  offset: z.int().min(0).default(0).describe('first character, to go on reading'),
  limit: z.int().min(500).max(40_000).default(PART).describe('characters'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'web_extract',
  toolset: 'web',
  description:
    'Read a web page, PDF, JSON or text file as Markdown. Long ones come in parts: go on with offset.',
  input,
  effect: () => 0,
  footprint: () => ({}),
  deed: ({ url }) => ({ sendsTo: [hostOf(url)], brings: ['untrusted'] }),
  maxChars: 42_000,
  run: (wanted, context) => asResult(() => extract(wanted, context)),
});

async function extract({ url, offset, limit }: Input, context: ToolContext): Promise<ToolResult> {
  const pages = await context.hold('web_pages', recentPages);
  // Only going on reading may use what was fetched before: who starts anew wants the page as it is now.
  const known = offset > 0 ? pages.find(url) : undefined;
  const page = known ?? (await extractPage(url, context));
  if (typeof page === 'string') return refusal(page);
  pages.keep(url, page);
  return part(page, offset, limit);
}

function part(page: ExtractedPage, offset: number, limit: number): ToolResult {
  const total = page.text.length;
  if (offset > 0 && offset >= total)
    return refusal(`The page has ${count(total, 'character')}; there is no ${offset}.`);
  const text = page.text.slice(offset, offset + limit).toWellFormed();
  const end = offset + text.length;
  const head = offset === 0 ? [`${page.title ? `# ${page.title}\n` : ''}${page.url}`] : [];
  const notes = [
    ...(offset === 0 ? page.notes : []),
    ...(end < total ? [`characters ${offset}–${end} of ${total}; go on with offset=${end}`] : []),
  ].map((note) => `[${note}]`);
  const summary = `${page.title || page.url}: ${count(total, 'character')}`;
  const data = {
    url: page.url,
    title: page.title,
    kind: page.kind,
    offset,
    end,
    total,
    needsBrowser: page.needsBrowser,
  };
  return answer([...head, text, ...notes].join('\n\n'), summary.slice(0, 160), data);
}

const MOST_PAGES = 5;

/** The last pages that a conversation has read, so that the parts of one belong together. */
async function recentPages() {
  const pages = new Map<string, ExtractedPage>();
  return {
    find: (url: string) => pages.get(url),
    keep(url: string, page: ExtractedPage): void {
      pages.delete(url);
      pages.set(url, page);
      for (const oldest of pages.keys()) {
        if (pages.size <= MOST_PAGES) break;
        pages.delete(oldest);
      }
    },
    close: async () => pages.clear(),
  };
}
