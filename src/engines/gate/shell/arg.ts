import type { Feed } from './feed.ts';

/** One word of a command after the shell has removed quotes and put in the values that are known. */
export interface Arg {
  /** Its value. Parts that cannot be known stand as they are written, as in `$x/file`. */
  readonly text: string;
  /** The program gets exactly this text. */
  readonly literal: boolean;
  /** It cannot fall apart into several words, nor become a pattern. */
  readonly whole: boolean;
  /** An unquoted pattern of file names. */
  readonly glob: boolean;
  /** It is not known, but cannot be an option: a date, a number, a commit. */
  readonly plain: boolean;
  /** It is not known, but names a file below the working folder. */
  readonly below: boolean;
  /** Variables in it that hold keys or passwords. */
  readonly secrets: readonly string[];
  /** What the substitutions in it give. */
  readonly feed?: Feed;
  /** Read through a pipe that the shell sets up: `<(…)`. */
  readonly piped?: Feed;
}

export const literal = (text: string): Arg => ({
  text,
  literal: true,
  whole: true,
  glob: false,
  plain: false,
  below: false,
  secrets: [],
});

/** A word about which nothing is known. */
export const unknownArg = (text: string, below = false): Arg => ({
  ...literal(text),
  literal: false,
  whole: false,
  below,
});

/** The same word without its first characters, for values glued to an option. */
export const cutArg = (arg: Arg, from: number): Arg => ({ ...arg, text: arg.text.slice(from) });
