import { z } from 'zod';
import { REFUSED_HEADER } from './filtering-proxy.ts';
import { defineBrowserTool } from './define-browser-tool.ts';
import { loaded, pageReport } from './page-report.ts';
import { refusal } from '../text/answer.ts';

const input = z.strictObject({ url: z.string().min(1) });

export const tool = defineBrowserTool<z.infer<typeof input>>({
  name: 'browser_navigate',
  description:
    'Open a page in the browser and see its accessibility tree. For plain reading, web_extract is cheaper.',
  input,
  level: 0,
  deed: ({ url }) => {
    const target = webAddress(url);
    return target ? { sendsTo: [target.host] } : { refuse: `${url.slice(0, 80)} is no web address` };
  },
  maxChars: 14_000,
  async act({ url }, page, session, { signal }) {
    const target = webAddress(url);
    if (!target) return refusal(`${url.slice(0, 200)} is no web address: http and https can be opened.`);
    const response = await page.goto(target.href, { waitUntil: 'domcontentloaded', signal });
    await loaded(page);
    const refused = response?.headers()[REFUSED_HEADER];
    if (refused) {
      session.takeNotes();
      return refusal(`Refused: ${refused}. Only public addresses can be opened here.`);
    }
    const report = await pageReport(session);
    const status = response?.status() ?? 200;
    return status < 400 ? report : { ...report, summary: `HTTP ${status}: ${report.summary}`, isError: true };
  },
});

/** Without a scheme, https is meant. Names and passwords inside of an address are a way to lie about the host. */
function webAddress(url: string): URL | undefined {
  const parsed = URL.parse(url) ?? URL.parse(`https://${url}`);
  const target = parsed && !/^[a-z]+:\/\//i.test(url) ? URL.parse(`https://${url}`) : parsed;
  if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password) return undefined;
  return target;
}
