import type { AskUser } from '#spec/ports';
import type { CliContext } from './command.ts';

/** Asks whoever sits at the terminal; undefined where nobody does. */
export function askInTerminal({ stdin, stdout }: CliContext): AskUser | undefined {
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  return async (question, choices, signal) => {
    // Every chat can ask, and most never do.
    const clack = await import('@clack/prompts');
    const options = signal ? { signal } : {};
    const answer = choices.length
      ? await clack.select({
          message: question,
          options: choices.map((choice) => ({ value: choice, label: choice })),
          ...options,
        })
      : await clack.text({ message: question, ...options });
    return clack.isCancel(answer) ? undefined : answer;
  };
}
