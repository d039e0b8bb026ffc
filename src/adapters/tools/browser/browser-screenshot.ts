import { z } from 'zod';
import { defineBrowserTool } from './define-browser-tool.ts';
import { sizeText } from '../text/file-kind.ts';

const input = z.strictObject({
  full_page: z.boolean().optional().describe('the whole page, not only what is in view'),
});

/** Larger pictures are kept, but not shown. */
const MOST_BYTES = 4 * 1024 * 1024;

export const tool = defineBrowserTool<z.infer<typeof input>>({
  name: 'browser_screenshot',
  description: 'A picture of the open page, which is kept as a file too.',
  input,
  level: 0,
  async act({ full_page = false }, page, session, { keep, sees, call, signal }) {
    const bytes = await page.screenshot({ type: 'jpeg', quality: 80, fullPage: full_page, signal });
    const path = await keep(`screenshot-${call}.jpg`, bytes);
    const notes = session.takeNotes().map((note) => `[${note}]`);
    const shown = sees && bytes.length <= MOST_BYTES;
    const text = [`${page.url()}: ${sizeText(bytes.length)}, kept as ${path}`, ...notes].join('\n');
    return {
      content: [
        { type: 'text', text },
        ...(shown
          ? [{ type: 'image' as const, mediaType: 'image/jpeg' as const, data: bytes.toString('base64') }]
          : []),
      ],
      summary: path,
      data: { path, url: page.url() },
    };
  },
});
