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

/** The options and operands of a command line in the manner of GNU. */
export interface Options {
  /** Options as written: `-r`, `--recursive`. Letters that stand together are taken apart. */
  readonly flags: ReadonlySet<string>;
  readonly operands: readonly Arg[];
  /** All values of these options. */
  values(...names: string[]): readonly Arg[];
  /** Whether one of them is there; a long option also by an abbreviation of at least three letters. */
  has(...names: string[]): boolean;
}

/**
 * `valued` lists the options that take the next word: single letters together, long ones apart, as in
 * `'o:H --output --header'`. Everything behind `--` is an operand; so is everything behind the first operand with
 * `stopEarly`, as wrappers want it.
 */
export function readOptions(args: readonly Arg[], valued = '', stopEarly = false): Options {
  const { letters, longs } = readValued(valued);
  const flags = new Set<string>();
  const values = new Map<string, Arg[]>();
  const operands: Arg[] = [];
  const give = (name: string, value: Arg) => {
    flags.add(name);
    const list = values.get(name);
    if (list) list.push(value);
    else values.set(name, [value]);
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg;
    const { text } = arg;
    if (text === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (text === '-' || !text.startsWith('-')) {
      if (stopEarly) {
        operands.push(...args.slice(at));
        break;
      }
      operands.push(arg);
      continue;
    }
    // What it really is, nobody knows: it counts as both.
    if (!arg.literal && !arg.plain && /[\s$`]/.test(text) && !text.includes('=')) operands.push(arg);
    if (text.startsWith('--')) {
      const equals = text.indexOf('=');
      if (equals > 0) give(text.slice(0, equals), cutArg(arg, equals + 1));
      else if (longs.has(text) && args[at + 1]) give(text, args[++at] as Arg);
      else flags.add(text);
      continue;
    }
    // Programs with long options behind a single dash.
    if (longs.has(text) && args[at + 1]) {
      give(text, args[++at] as Arg);
      continue;
    }
    flags.add(text);
    for (let letter = 1; letter < text.length; letter++) {
      const name = `-${text[letter]}`;
      flags.add(name);
      if (!letters.has(text[letter] ?? '')) continue;
      if (letter + 1 < text.length) give(name, cutArg(arg, letter + 1));
      else if (args[at + 1]) give(name, args[++at] as Arg);
      break;
    }
  }
  const matches = (name: string): readonly string[] =>
    name.startsWith('--')
      ? [...flags].filter(
          (flag) => flag === name || (flag.length > 4 && flag.startsWith('--') && name.startsWith(flag)),
        )
      : flags.has(name)
        ? [name]
        : [];
  return {
    flags,
    operands,
    values: (...names) => names.flatMap((name) => matches(name).flatMap((flag) => values.get(flag) ?? [])),
    has: (...names) => names.some((name) => matches(name).length > 0),
  };
}

interface Valued {
  readonly letters: ReadonlySet<string>;
  readonly longs: ReadonlySet<string>;
}
const READ = new Map<string, Valued>();
function readValued(valued: string): Valued {
  let read = READ.get(valued);
  if (!read) {
    const items = valued.split(/\s+/).filter(Boolean);
    read = {
      letters: new Set(items.filter((item) => !item.startsWith('-')).flatMap((item) => [...item])),
      longs: new Set(items.filter((item) => item.startsWith('-'))),
    };
    READ.set(valued, read);
  }
  return read;
}
