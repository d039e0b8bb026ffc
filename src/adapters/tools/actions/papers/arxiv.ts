import { fail } from '#kit/app-error';
import { dropHidden } from '#kit/hidden-characters';
import type { ToolContext } from '#spec/ports';
import { askService } from '../../services/ask-service.ts';

export const ARXIV = 'https://export.arxiv.org';

export interface Paper {
  readonly id: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly published: string;
  readonly updated: string;
  readonly summary: string;
  readonly categories: readonly string[];
  readonly url: string;
  readonly pdf: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const plain = (text: string): string =>
  dropHidden(
    text
      .replace(/<[^>]*>/g, '')
      .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name?: string) =>
        decimal
          ? String.fromCodePoint(Number(decimal))
          : hex
            ? String.fromCodePoint(Number.parseInt(hex, 16))
            : (ENTITIES[name ?? ''] ?? all),
      ),
  )
    .replace(/\s+/g, ' ')
    .trim();

/** The entries of an Atom feed of arXiv. */
function parseFeed(feed: string): Paper[] {
  return feed.split('</entry>').flatMap((part) => {
    const entry = part.slice(part.lastIndexOf('<entry>'));
    const field = (name: string) =>
      plain(new RegExp(`<${name}[^>]*>([\\s\\S]*?)</${name}>`).exec(entry)?.[1] ?? '');
    const url = field('id');
    const id = /abs\/(.+?)(?:v\d+)?$/.exec(url)?.[1];
    if (id === undefined) return [];
    return [
      {
        id,
        title: field('title'),
        authors: [...entry.matchAll(/<author>\s*<name>([^<]*)<\/name>/g)].map(([, name = '']) => plain(name)),
        published: field('published').slice(0, 10),
        updated: field('updated').slice(0, 10),
        summary: field('summary'),
        categories: [...entry.matchAll(/<category[^>]*term="([^"]+)"/g)].map(([, term = '']) => term),
        url,
        pdf: `https://arxiv.org/pdf/${id}`,
      },
    ];
  });
}

export async function askArxiv(
  query: Readonly<Record<string, string>>,
  context: ToolContext,
): Promise<Paper[]> {
  const url = `${ARXIV}/api/query?${new URLSearchParams(query)}`;
  const { body, cut } = await askService(
    { name: 'arXiv', url, headers: { accept: 'application/atom+xml' } },
    context,
  );
  if (cut) throw fail('tool.failed', 'arXiv answered more than can be read. Ask for less.');
  return parseFeed(new TextDecoder().decode(body));
}
