import type { Text } from '#kit/text';
import type { Arg } from './arg.ts';
import type { Feed } from './feed.ts';
import type { Ground } from './paths.ts';

/** What a command does to a file. */
export type Change = 'create' | 'change' | 'change all below' | 'delete' | 'delete all below';

/** One command with its words, and what a program's rule may say about it. */
export interface Call {
  readonly name: string;
  readonly args: readonly Arg[];
  readonly stdin: Feed;
  readonly ground: Ground;
  /** Its output goes into another command. */
  readonly piped: boolean;
  /** The command as a person would write it. */
  readonly shown: string;
  level(level: 0 | 1 | 2 | 3): void;
  ask(why: Text): void;
  deny(why: Text): void;
  /** It reads this file. */
  reads(path: Arg): void;
  writes(path: Arg, change: Change): void;
  /** It talks to another machine. `sends` when the words or its input go along. */
  outward(options?: { readonly sends?: boolean }): void;
  /** It hands the secrets among its words to where they belong, as a database client does. */
  connects(): void;
  /** It shows keys, credentials or the environment. */
  showsPrivate(why: Text): void;
  /** It runs another command in its stead. `where` marks another machine or container. */
  runs(args: readonly Arg[], options?: RunOptions): Feed;
  /** It hands text to a shell. */
  runsScript(script: Arg, options?: RunOptions): Feed;
  /** It runs a file as a program. */
  runsFile(path: Arg): void;
  /** It hands what it reads to an interpreter. */
  runsInput(language: string): Feed;
  /** It runs code of a language. */
  runsCode(language: string, code: Arg): void;
  /** It runs code that is not followed: fine where the sandbox holds whatever it does, a question everywhere else. */
  runsAnything(what: Text): void;
  /** The shell goes to another folder; undefined: it cannot be told which. */
  goes(folder: Arg | undefined): void;
  /** It sets a variable of the shell; undefined: to what cannot be told. */
  sets(name: string, value: Arg | undefined): void;
  /** What it runs depends on what it is told while it runs. */
  dynamic(): void;
  /** The same command with other words, judged by another program's rule. */
  as(name: string, args: readonly Arg[]): Feed | undefined;
  /** Whether a path lies in the working folder. */
  isInside(path: Arg): boolean;
  /** A file of this command line was written by this very command line. */
  wroteHere(path: Arg): boolean;
}

export interface RunOptions {
  /** Its input, when it is not the input of the command around it. */
  readonly stdin?: Feed;
  /** In another folder. */
  readonly cwd?: Arg;
  /** On another machine or in a container. */
  readonly elsewhere?: boolean;
  /** At another time or for somebody else: a person has to agree to anything but reading. */
  readonly deferred?: boolean;
}

/** What is known of a program. Gives what comes out of it; undefined: its input, changed. */
export type Program = (call: Call) => Feed | undefined;
export type ProgramTable = Readonly<Record<string, Program>>;

/** One rule for several names. */
export const forEach = (names: string, program: Program): ProgramTable =>
  Object.fromEntries(
    names
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => [name, program]),
  );
