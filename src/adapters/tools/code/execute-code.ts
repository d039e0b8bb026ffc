import { z } from 'zod';
import { defineTool, type ToolResult } from '#spec/ports';
import { type ScriptRun, runScript } from './run-script.ts';
import { LANGUAGES } from './runner-command.ts';
import { answer, count } from '../text/answer.ts';

const LIMITS = { ms: 300_000, calls: 50, printed: 50_000 };

const input = z.strictObject({
  code: z.string().min(1),
  language: z.enum(LANGUAGES).optional().describe('default python'),
});

export const tool = defineTool<z.infer<typeof input>>({
  name: 'execute_code',
  toolset: 'code',
  description:
    "Run a script that calls tools, many steps in one: text = tools.read_file(path='a') or tools.call(name, **input); " +
    'failures raise ToolError. In JavaScript: (await tools.read_file({path})).text. Print, or set `result`.',
  input,
  effect: () => 2,
  footprint: () => undefined,
  deed: ({ code, language = 'python' }) => ({ code: { language, text: code } }),
  maxChars: 60_000,
  async run({ code, language = 'python' }, context) {
    return report(await runScript({ language, code }, LIMITS, context), language);
  },
});

function report({ printed, dropped, result, error, calls }: ScriptRun, language: string): ToolResult {
  const other = language === 'python' ? 'javascript' : 'python';
  const parts = [
    printed.trimEnd(),
    dropped > 0 ? `[${count(dropped, 'more byte')} printed]` : '',
    result === undefined ? '' : `result = ${result}`,
    error === undefined ? '' : `[failed] ${error.trimEnd()}`,
    error?.startsWith('there is no interpreter') ? `[try language: ${other}]` : '',
    `[${count(calls, 'tool call')}]`,
  ];
  const text = parts.filter((part) => part !== '').join('\n');
  const last = error
    ?.trimEnd()
    .split('\n')
    .findLast((line) => line.trim() !== '');
  return {
    ...answer(text, last === undefined ? count(calls, 'tool call') : last.slice(0, 160), { calls }),
    ...(error === undefined ? {} : { isError: true }),
  };
}
