import { z } from 'zod';
import { defineBrowserTool } from './define-browser-tool.ts';
import { elementOf, refInput, STALE } from './element.ts';
import { reportAfter } from './page-report.ts';
import { answer, refusal } from '../text/answer.ts';

const input = z.strictObject({
  to: z.enum(['up', 'down', 'top', 'bottom']).optional().describe('default down, by one screen'),
  ref: refInput.optional().describe('scroll this element into view instead'),
});

const STEPS = {
  up: 'window.scrollBy(0, -window.innerHeight * 0.9)',
  down: 'window.scrollBy(0, window.innerHeight * 0.9)',
  top: 'window.scrollTo(0, 0)',
  bottom: 'window.scrollTo(0, document.documentElement.scrollHeight)',
} as const;

const STANDS = '[Math.round(scrollY), innerHeight, document.documentElement.scrollHeight]';

export const tool = defineBrowserTool<z.infer<typeof input>>({
  name: 'browser_scroll',
  description: 'Scroll the open page: for pages that load more on the way, and before a screenshot.',
  input,
  level: 0,
  maxChars: 8_000,
  async act({ to = 'down', ref }, page, session, { signal }) {
    if (ref) {
      const element = elementOf(page, ref);
      if ((await element.count()) === 0) return refusal(STALE);
      await element.scrollIntoViewIfNeeded({ signal });
    } else {
      await page.evaluate(STEPS[to]);
    }
    const report = await reportAfter(session, signal);
    const [top = 0, screen = 0, height = 0] = await page.evaluate<number[]>(STANDS);
    const stands = `[pixels ${top}–${Math.min(top + screen, height)} of ${height}]`;
    const text = report.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return {
      ...answer(`${stands}\n${text}`, stands.slice(1, -1)),
      ...(report.isError ? { isError: true } : {}),
    };
  },
});
