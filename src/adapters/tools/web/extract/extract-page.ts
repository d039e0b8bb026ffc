import { dropHidden } from '#kit/hidden-characters';
import type { ToolContext, WebAnswer } from '#spec/ports';
import { binaryKind, imageType, sizeText } from '../../text/file-kind.ts';
import { decodeText } from './decode-text.ts';
import { pdfText } from './pdf-text.ts';
import { readPage } from './read-page.ts';

export interface ExtractedPage {
  /** Where it was found, after redirects. */
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly kind: 'html' | 'pdf' | 'json' | 'text';
  readonly needsBrowser: boolean;
  /** What a reader should know about it. */
  readonly notes: readonly string[];
}

const MOST_BYTES = 20 * 1024 * 1024;
/** Markup beyond this takes seconds to take apart; words beyond it are rarely wanted. */
const MOST_HTML = 2 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const ACCEPT =
  'text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/json;q=0.9,*/*;q=0.5';

/** What stands at an address, or why it cannot be read. */
export async function extractPage(url: string, context: ToolContext): Promise<ExtractedPage | string> {
  const request = { url, maxBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS, headers: { accept: ACCEPT } };
  const found = await context.web.fetch(request, context.signal);
  const page = await contentOf(found, context.signal);
  if (typeof page === 'string') return page;
  const notes = [...page.notes];
  if (found.status >= 400) notes.unshift(`the server answered ${found.status}`);
  if (found.cut) notes.push('the answer was longer than can be read: its end is missing');
  if (page.needsBrowser)
    notes.push('this page is made by scripts and shows little without them: use browser_navigate');
  if (found.status >= 400 && page.text.length < 20) return `${found.url} answered ${found.status}.`;
  return { ...page, notes, url: found.url };
}

type Content = Omit<ExtractedPage, 'url'>;

async function contentOf({ url, headers, body }: WebAnswer, signal: AbortSignal): Promise<Content | string> {
  const type = headers['content-type'] ?? '';
  if (Buffer.from(body.subarray(0, 1_024)).includes('%PDF-')) return pdfContent(body, signal);
  const media = imageType(body);
  if (media)
    return `${url} is an image (${media}, ${sizeText(body.length)}). Look at it with vision_analyze.`;
  if (isBinary(body, type))
    return `${url} is not text: ${binaryKind(body)}, ${sizeText(body.length)} (${type || 'no type given'}).`;
  const { text } = decodeText(body, type);
  if (isHtml(type, text)) {
    const { cut, ...page } = await readPage(text.slice(0, MOST_HTML), url);
    const notes = cut || text.length > MOST_HTML ? ['only the first part of its markup was read'] : [];
    return { ...page, kind: 'html', notes };
  }
  const kind = /\bjson\b/i.test(type) ? 'json' : 'text';
  return { title: '', text: dropHidden(text), kind, needsBrowser: false, notes: [] };
}

async function pdfContent(body: Uint8Array, signal: AbortSignal): Promise<Content> {
  const { title, text, pages } = await pdfText(body, signal);
  const bare = text.replace(/^## Page \d+$/gm, '').trim();
  const notes = bare ? [] : [`its ${pages} pages hold pictures and no text`];
  return { title, text: dropHidden(text), kind: 'pdf', needsBrowser: false, notes };
}

const isHtml = (type: string, text: string): boolean =>
  /\bhtml\b/i.test(type) ||
  (!/json|xml|plain|markdown|csv/i.test(type) && /<(?:!doctype html|html)[\s>]/i.test(text.slice(0, 2_000)));

/** By what it says it is, and by what text never holds. */
function isBinary(body: Uint8Array, type: string): boolean {
  if (/^(?:audio|video|font)\//i.test(type) || /zip|octet-stream/i.test(type)) return body.includes(0);
  return !/utf-16/i.test(type) && body[0] !== 0xff && body[0] !== 0xfe && body.subarray(0, 8_000).includes(0);
}
