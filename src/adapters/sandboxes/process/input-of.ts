import type { Writable } from 'node:stream';
import { fail } from '#kit/app-error';
import type { CommandSpec, RunningCommand } from '#spec/ports';

/** The input of a running command. One that went away while it was written to is no error of whoever writes. */
export function inputOf(
  stdin: Writable | null,
  input: CommandSpec['input'],
): Pick<RunningCommand, 'write' | 'closeInput'> {
  stdin?.on('error', () => stdin.destroy());
  if (input !== undefined && input !== 'open') stdin?.end(input.text);
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        if (!stdin || input !== 'open' || !stdin.writable) {
          reject(fail('tool.failed', 'The command takes no input (any more).'));
          return;
        }
        stdin.write(text, (error) => {
          if (error) reject(fail('tool.failed', 'The command has closed its input.', undefined, error));
          else resolve();
        });
      }),
    closeInput: () =>
      new Promise((resolve) => {
        if (!stdin || stdin.destroyed || stdin.writableFinished) resolve();
        else stdin.end(resolve);
      }),
  };
}
