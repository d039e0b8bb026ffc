import type { Deed } from '#spec/ports';

/** What was left running, as far as it matters for what is written to it. */
export interface RunningProcess {
  readonly command: string;
  readonly backend?: string;
  readonly cwd?: string;
}

/** A command with everything that is known of it. One that runs already is given more input. */
export interface RunCommand extends NonNullable<Deed['command']> {
  readonly runsAlready: boolean;
}

/** What is written to a process is the input of the command that was started. */
export function commandOf(
  { command, feeds }: Deed,
  process: ((id: string) => RunningProcess | undefined) | undefined,
): RunCommand | undefined {
  if (command) return { ...command, runsAlready: false };
  const fed = feeds && process?.(feeds.process);
  if (!feeds || !fed) return undefined;
  const { command: text, ...where } = fed;
  return { text, ...where, input: feeds.text, background: true, runsAlready: true };
}

export const actionCommand = ({ text, env, background = false, input }: RunCommand) => ({
  text,
  env: { ...env },
  background,
  ...(input === undefined ? {} : { input }),
});

/** As the judge takes it. */
export const inputFor = ({ input, runsAlready }: RunCommand) =>
  input === undefined ? {} : { input: { text: input, late: runsAlready } };
