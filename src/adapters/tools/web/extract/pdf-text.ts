import { fail } from '#kit/app-error';

const MOST_PAGES = 300;
const MOST_MS = 20_000;

export interface PdfText {
  readonly title: string;
  readonly text: string;
  readonly pages: number;
}

/** The words of a PDF, a heading for each page. Scanned pages have none. */
export async function pdfText(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  const { getDocumentProxy, getMeta } = await import('unpdf');
  // The reader takes the buffer over.
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((cause: unknown) => {
    const why =
      cause instanceof Error && /password/i.test(cause.message) ? 'is protected by a password' : 'is damaged';
    throw fail('tool.failed', `The PDF ${why}.`, undefined, cause);
  });
  try {
    const { info } = await getMeta(document);
    const late = performance.now() + MOST_MS;
    const parts: string[] = [];
    while (parts.length < Math.min(document.numPages, MOST_PAGES) && performance.now() < late) {
      signal.throwIfAborted();
      const number = parts.length + 1;
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      parts.push(`## Page ${number}\n\n${wordsOf(items)}`);
    }
    const rest = document.numPages - parts.length;
    if (rest > 0) parts.push(`[${rest} more pages]`);
    const title = typeof info.Title === 'string' ? info.Title : '';
    return { title, text: parts.join('\n\n'), pages: document.numPages };
  } finally {
    await document.destroy();
  }
}

/** Items come in the order of reading; marks of structure among them have no text. */
function wordsOf(items: readonly object[]): string {
  let text = '';
  for (const item of items) {
    if ('str' in item && typeof item.str === 'string') text += item.str;
    if ('hasEOL' in item && item.hasEOL) text += '\n';
  }
  return text.replace(/(?<![ \t])[ \t]+\n/g, '\n').trim();
}
