import { z } from 'zod';
import { defineBrowserTool } from './define-browser-tool.ts';
import { reportAfter } from './page-report.ts';
import { refusal } from '../text/answer.ts';

const input = z.strictObject({});

export const tool = defineBrowserTool<z.infer<typeof input>>({
  name: 'browser_back',
  description: 'Go back to the page before.',
  input,
  level: 0,
  maxChars: 8_000,
  async act(_, page, session, { signal }) {
    const before = page.url();
    const response = await page.goBack({ waitUntil: 'domcontentloaded', signal });
    if (response === null && page.url() === before) return refusal('There is no page before this one.');
    return reportAfter(session, signal);
  },
});
