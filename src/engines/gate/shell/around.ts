import type { Feed } from './feed.ts';

/** One shell: where it stands and what it has set. A copy stands for a subshell. */
export interface Shell {
  cwd: string | undefined;
  readonly variables: Map<string, string | undefined>;
}

/** What surrounds a command. */
export interface Around {
  readonly shell: Shell;
  readonly stdin: Feed;
  /** Its input comes when it has run for a while: where a shell stands by then cannot be told. */
  readonly late: boolean;
  readonly depth: number;
  /** It runs for certain and once, so that what it sets may be relied on. */
  readonly sure: boolean;
  /** It stands in a loop without an end. */
  readonly endless: boolean;
  /** It goes on beside what follows. */
  readonly background: boolean;
  readonly piped: boolean;
  /** On another machine, or in a container. */
  readonly elsewhere: boolean;
  /** The functions whose bodies it stands in. */
  readonly functions: readonly string[];
  readonly unrolled: boolean;
}

export const copyShell = (shell: Shell): Shell => ({ cwd: shell.cwd, variables: new Map(shell.variables) });
