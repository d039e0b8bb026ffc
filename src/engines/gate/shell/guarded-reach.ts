import type { Arg } from './arg.ts';
import { globMatches, type Ground, resolvePath } from './paths.ts';

/** Places of the machine that no command may read. They matter where no sandbox hides them. */
export interface GuardedPlaces {
  /** Absolute; as they are named, and with every link in them followed. */
  readonly paths: readonly string[];
  readonly userHome?: string;
  /** Follows the links of a path as far as it exists. */
  readonly real?: (path: string) => string;
  /** The links that lie in a folder and where they lead: a pattern may stand for one of them. */
  readonly links?: (folder: string) => readonly { readonly name: string; readonly target: string }[];
}

/** What a word leads to: into a guarded place, to a folder that it lies in, or to what cannot be told. */
type Reach = 'inside' | 'around' | 'unknown';

export type Watch = (arg: Arg, ground: Ground) => Reach | undefined;

/** Following links takes time; a line with more words than this is not looked through. */
const MOST_LOOKUPS = 1_000;

/** Tells of the words of one command line what they lead to. Undefined: to nothing that is guarded. */
export function watchPlaces({ paths, userHome, real, links }: GuardedPlaces): Watch {
  const places = paths.map(partsOf);
  let lookups = 0;
  const worst = (path: string): Reach | undefined => {
    const found = places.map((place) => reachOf(partsOf(path), place));
    return found.find((one) => one === 'inside') ?? found.find((one) => one === 'around');
  };
  const follow = (path: string, glob: boolean): Reach | undefined => {
    if (!real) return undefined;
    if (++lookups > MOST_LOOKUPS) return 'unknown';
    if (!glob) return worst(real(path));
    const { folder, pattern, rest } = atPattern(path);
    const led = (links?.(folder || '/') ?? [])
      .filter(({ name }) => globMatches(pattern, name))
      .map(({ target }) => `${target}/${rest}`);
    const found = [`${real(folder)}/${pattern}/${rest}`, ...led].map(worst);
    return found.find((one) => one === 'inside') ?? found.find((one) => one === 'around');
  };
  return (arg, ground) => {
    if (arg.below || arg.piped) return undefined;
    if (!arg.literal) return isHarmless(arg) ? undefined : 'unknown';
    const found = candidatesOf(arg.text).map((text): Reach | undefined => {
      const named = resolvePath(text, ground);
      if (named === undefined) return 'unknown';
      const full = userHome === undefined ? named : named.replace(/^\/~(?=\/|$)/, userHome);
      return worst(full) ?? follow(full, arg.glob);
    });
    return (['inside', 'around', 'unknown'] as const).find((reach) => found.includes(reach));
  };
}

/** A word by itself, and the paths that an option or a list may have glued to it: `-C..`, `--dir=/x`, `a:/x`. */
function candidatesOf(text: string): string[] {
  const glued = /^-[A-Za-z](.+)$/s.exec(text)?.[1];
  const pieces = /[=:@,]/.test(text) ? text.split(/[=:@,]/) : [];
  return [...(text.startsWith('-') ? [] : [text]), ...(glued === undefined ? [] : [glued]), ...pieces].filter(
    (piece) => piece !== '' && !piece.startsWith('-'),
  );
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

function reachOf(word: readonly string[], place: readonly string[]): Reach | undefined {
  for (const [at, part] of place.entries()) {
    const given = word[at];
    if (given === undefined) return 'around';
    // With an option of the shell, two stars stand for any number of folders.
    if (given === '**') return 'inside';
    if (given !== part && !globMatches(given, part)) return undefined;
  }
  return 'inside';
}

/** The folders in front of the first pattern, that pattern, and what follows. */
function atPattern(path: string): { folder: string; pattern: string; rest: string } {
  const parts = partsOf(path);
  const at = parts.findIndex((part) => /[*?[]/.test(part));
  const folder = parts
    .slice(0, at)
    .map((part) => `/${part}`)
    .join('');
  return { folder, pattern: parts[at] ?? '', rest: parts.slice(at + 1).join('/') };
}

/** Programs whose output is a number, a date or a name without a path. */
const NO_PATHS = new Set('date nproc id whoami hostname uname wc'.split(' '));

/** Not known, but surely no path: a number, a date, the name of the user. */
const isHarmless = ({ plain, feed }: Arg): boolean =>
  plain && (feed === undefined || feed.commands.every(([name = '']) => NO_PATHS.has(name)));
