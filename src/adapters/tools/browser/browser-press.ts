import { z } from 'zod';
import { defineBrowserTool } from './define-browser-tool.ts';
import { hostInput } from './element.ts';
import { reportAfter, wrongHost } from './page-report.ts';
import { refusal } from '../text/answer.ts';

const input = z.strictObject({
  key: z.string().min(1).max(40).describe('Enter, Escape, Tab, ArrowDown, Control+a, …'),
  host: hostInput,
});

export const tool = defineBrowserTool<z.infer<typeof input>>({
  name: 'browser_press',
  description: 'Press a key in the open page and see what became of the page.',
  input,
  level: 2,
  deed: ({ host }) => ({ sendsTo: [host] }),
  maxChars: 8_000,
  async act({ key, host }, page, session, { signal }) {
    const wrong = wrongHost(page, host);
    if (wrong) return wrong;
    try {
      await page.keyboard.press(key);
    } catch (error) {
      if (error instanceof Error && error.message.includes('Unknown key'))
        return refusal(`There is no key ${key}.`);
      throw error;
    }
    return reportAfter(session, signal);
  },
});
