import type { PageDocument } from './page-node.ts';

/** A document of whatever was sent: a fragment gets the frame that the parser does not make by itself. */
export async function parsePage(html: string): Promise<PageDocument> {
  const { parseHTML } = await import('linkedom');
  const framed = /<html[\s>]/i.test(html)
    ? html
    : `<!doctype html><html><head></head><body>${html}</body></html>`;
  const { document } = parseHTML(framed) as unknown as { readonly document: PageDocument };
  return document;
}
