import type { CommandEnd, CommandSpec, Sandbox } from '#spec/ports';

interface RunOutcome extends CommandEnd {
  readonly stdout: string;
  readonly stderr: string;
}

type SpecChange = Partial<Omit<CommandSpec, 'command'>>;

/** Runs one command to its end, with limits that no well-behaved test reaches. */
export async function run(
  sandbox: Sandbox,
  command: string,
  change: SpecChange = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<RunOutcome> {
  const spec = { command, timeoutMs: 15_000, maxOutputBytes: 1_000_000, ...change };
  const running = await sandbox.start(spec, signal);
  const text = { stdout: '', stderr: '' };
  for await (const chunk of running.output) text[chunk.stream] += chunk.text;
  return { ...(await running.ended), ...text };
}
