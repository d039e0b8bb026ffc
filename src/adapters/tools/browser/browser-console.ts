import { z } from 'zod';
import { showHidden } from '#kit/hidden-characters';
import { defineBrowserTool } from './define-browser-tool.ts';
import { answer, count } from '../text/answer.ts';

const input = z.strictObject({
  errors: z.boolean().optional().describe('only warnings and errors'),
  clear: z.boolean().optional(),
});

const SERIOUS = new Set(['error', 'warning', 'assert']);

export const tool = defineBrowserTool<z.infer<typeof input>>({
  name: 'browser_console',
  description: 'What pages have written to the console, and errors that they did not catch.',
  input,
  level: 0,
  maxChars: 12_000,
  async act({ errors = false, clear = false }, _, session) {
    const all = session.consoleLines(clear).filter(({ level }) => !errors || SERIOUS.has(level));
    if (all.length === 0) return answer('The console is empty.', 'empty');
    const lines = all.map(
      ({ level, text, where }) => `${level}: ${showHidden(text)}${where ? ` (${where})` : ''}`,
    );
    return answer(lines.join('\n'), count(all.length, 'line'), { lines: all });
  },
});
