import { z } from 'zod';
import { redact } from '#kit/redact';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { callShell, NOT_FOUND } from '../call-shell.ts';
import { testTool } from './project-tools.ts';
import { testCounts, testFailures } from './test-output.ts';
import { answer, refusal } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const input = z.strictObject({
  path: z.string().min(1).default('.').describe('folder of the project'),
  command: z
    .array(z.string())
    .min(1)
    .max(50)
    .optional()
    .describe('default: by what the project has: npm, pytest, go, cargo, maven'),
  args: z.array(z.string()).max(50).default([]).describe('added to it'),
  timeout: z.number().positive().max(600).default(600).describe('seconds'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'test_run',
  toolset: 'actions',
  description: 'Run the tests of a project and count what passed and failed.',
  input,
  deferred: true,
  effect: () => 2,
  footprint: () => undefined,
  run: (asked, context) => asResult(() => runTests(asked, context)),
});

async function runTests({ path, command, args, timeout }: Input, context: ToolContext): Promise<ToolResult> {
  const found = command ? { name: command[0] ?? '', words: command } : await testTool(context.files, path);
  const [program, ...words] = found?.words ?? [];
  if (!found || program === undefined)
    return refusal(`It is not known how the tests of ${path} are run: name the command.`);
  const end = await callShell({ words: [program, ...words, ...args], cwd: path, timeoutS: timeout }, context);
  if (end.code === NOT_FOUND) return refusal(`${program} is not installed where commands run.`);
  const output = `${end.stdout}\n${end.stderr}`;
  const counts = testCounts(output);
  const success = end.code === 0;
  const failures = success ? [] : testFailures(output);
  const summary = counts
    ? `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
    : `exit code ${end.code}`;
  const tail = redact(output.trimEnd()).slice(-4_000);
  const result = answer(
    [summary, ...failures, ...(success ? [] : [tail])].join('\n'),
    `${found.name}: ${summary}`,
    {
      runner: found.name,
      command: [program, ...words, ...args].join(' '),
      success,
      code: end.code,
      passed: counts?.passed ?? null,
      failed: counts?.failed ?? null,
      skipped: counts?.skipped ?? null,
      failures,
      ms: end.ms,
      tail,
    },
  );
  // Tests that fail are what the run was for.
  return result;
}
