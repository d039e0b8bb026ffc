import { z } from 'zod';
import { defineBrowserTool } from './define-browser-tool.ts';
import { pageReport } from './page-report.ts';

const input = z.strictObject({ offset: z.int().min(0).optional().describe('go on from this character') });

export const tool = defineBrowserTool<z.infer<typeof input>>({
  name: 'browser_snapshot',
  description:
    'The open page as an accessibility tree; marks such as [ref=e12] name elements for the other tools.',
  input,
  level: 0,
  maxChars: 14_000,
  act: ({ offset = 0 }, _, session) => pageReport(session, offset),
});
