import { z } from 'zod';
import { defineBrowserTool } from './define-browser-tool.ts';
import { elementOf, hostInput, refInput, STALE } from './element.ts';
import { reportAfter, wrongHost } from './page-report.ts';
import { answer, refusal } from '../text/answer.ts';

const input = z.strictObject({
  ref: refInput,
  text: z.string().describe('replaces what is there; for a list of choices: the choice'),
  host: hostInput,
  submit: z.boolean().optional().describe('press Enter afterwards'),
});

export const tool = defineBrowserTool<z.infer<typeof input>>({
  name: 'browser_type',
  description: 'Fill in a field of the open page, or choose from a list.',
  input,
  level: 2,
  deed: ({ host }) => ({ sendsTo: [host] }),
  maxChars: 8_000,
  async act({ ref, text, host, submit }, page, session, { signal }) {
    const wrong = wrongHost(page, host);
    if (wrong) return wrong;
    const element = elementOf(page, ref);
    if ((await element.count()) === 0) return refusal(STALE);
    if (await element.evaluate(isSelect)) await element.selectOption(text, { signal });
    else await element.fill(text, { signal });
    if (!submit) return answer(`Filled in ${ref}.`, `filled in ${ref}`);
    await element.press('Enter', { signal });
    return reportAfter(session, signal);
  },
});

/** Runs inside of the page. */
const isSelect = (element: unknown): boolean => (element as { tagName: string }).tagName === 'SELECT';
