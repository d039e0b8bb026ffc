import type { Command as Commander } from 'commander';
import type { Env } from '#config';
import type { Host } from '#host';
import type { Language } from '#kit/language';
import type { Text } from './text/index.ts';

/** What a command works with. Nothing is read from disk until `host` is asked for. */
export interface CliContext {
  readonly version: string;
  readonly text: Text;
  readonly language: Language;
  /** What `--profile` named. */
  readonly profile: string | undefined;
  readonly env: Env;
  /** Opens the home of the chosen profile, once. */
  host(): Promise<Host>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C and by the end of the program. */
  readonly signal: AbortSignal;
}

/** One subcommand. `build` declares its arguments and what it does; the action resolves to an exit status. */
export interface CliCommand {
  readonly summary: Readonly<Record<Language, string>>;
  /** It changes nothing: what Hermes runs may call it. Every other one is for people. */
  readonly reads?: true;
  build(command: Commander, run: (action: () => Promise<number>) => Promise<void>, context: CliContext): void;
}

export const defineCommand = (command: CliCommand): CliCommand => command;
