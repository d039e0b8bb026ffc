import { z } from 'zod';
import { defineBrowserTool } from './define-browser-tool.ts';
import { elementOf, hostInput, refInput, STALE } from './element.ts';
import { reportAfter, wrongHost } from './page-report.ts';
import { refusal } from '../text/answer.ts';

const input = z.strictObject({ ref: refInput, host: hostInput, double: z.boolean().optional() });

export const tool = defineBrowserTool<z.infer<typeof input>>({
  name: 'browser_click',
  description: 'Click an element of the open page and see what became of the page.',
  input,
  level: 2,
  deed: ({ host }) => ({ sendsTo: [host] }),
  maxChars: 8_000,
  async act({ ref, host, double }, page, session, { signal }) {
    const wrong = wrongHost(page, host);
    if (wrong) return wrong;
    const element = elementOf(page, ref);
    if ((await element.count()) === 0) return refusal(STALE);
    if (double) await element.dblclick({ signal });
    else await element.click({ signal });
    return reportAfter(session, signal);
  },
});
