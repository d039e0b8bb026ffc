import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { ToolContext, ToolResult } from '#spec/ports';

/** What the action `shell` gives as its data. */
const ShellData = z.object({
  code: z.number().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  ms: z.number(),
  hint: z.string().optional(),
});
type ShellData = z.infer<typeof ShellData>;

interface ShellCall {
  readonly words: readonly [string, ...string[]];
  readonly cwd?: string | undefined;
  readonly timeoutS?: number;
}

/**
 * Runs a program whose name is known only after looking around. It goes through the action `shell`, so that the gate
 * judges the very command; a refusal is thrown, an exit code is not.
 */
export async function callShell(
  { words: [command, ...args], cwd, timeoutS = 120 }: ShellCall,
  context: Pick<ToolContext, 'callTool'>,
): Promise<ShellData> {
  const result = await context.callTool('shell', {
    command,
    args,
    timeout: timeoutS,
    ...(cwd === undefined ? {} : { cwd }),
  });
  const data = ShellData.safeParse(result.data);
  if (!data.success) throw fail('tool.failed', textOf(result) || result.summary);
  return data.data;
}

export const textOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** The code of a shell for a program that is not there. */
export const NOT_FOUND = 127;
