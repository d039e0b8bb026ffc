import type { MachineReading } from '#spec/data';
import type { ToolContext } from '#spec/ports';
import { failureHint, stoppedText } from '../running/failure-hint.ts';

export interface LineEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** Why it did not come to its own end. */
  readonly stopped?: string;
  /** What to do about a failure, where that is known. */
  readonly hint?: string;
  /** Where it ran, for people. */
  readonly place?: string;
}

interface LineOptions {
  readonly cwd?: string | undefined;
  readonly timeoutS: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | undefined;
  readonly backend?: string | undefined;
  readonly reading?: MachineReading | undefined;
}

/** Runs a command line where the commands of the conversation run, its two outputs apart. */
export async function runLine(
  command: string,
  { cwd, timeoutS, env, input, backend, reading }: LineOptions,
  { commands, signal }: Pick<ToolContext, 'commands' | 'signal'>,
): Promise<LineEnd> {
  const said = { stdout: '', stderr: '' };
  const result = await commands.run(
    {
      command,
      timeoutMs: timeoutS * 1_000,
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
      ...(backend === undefined ? {} : { backend }),
      ...(reading === undefined ? {} : { reading }),
      ...(input === undefined ? {} : { input: { text: input } }),
    },
    signal,
    ({ stream, text }) => (said[stream] += text),
  );
  const stopped = stoppedText(result, timeoutS);
  const hint = failureHint(command, result);
  return {
    code: result.code,
    ...said,
    ms: Math.round(result.ms),
    ...(stopped ? { stopped } : {}),
    ...(hint ? { hint } : {}),
    ...(result.where ? { place: result.where } : {}),
  };
}

/** What a failed command has to say, in few lines. */
export function complaintOf({ code, stdout, stderr, stopped, hint }: LineEnd): string {
  const said = (stderr.trim() || stdout.trim()).slice(-2_000);
  const end = stopped ?? `it ended with ${code ?? 'a signal'}`;
  return [said, `[${end}]`, ...(hint ? [`[${hint}]`] : [])].filter(Boolean).join('\n');
}
