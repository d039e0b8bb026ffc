import type { Arg } from './arg.ts';

const LONG: Readonly<Record<string, string>> = {
  r: 'recursive',
  f: 'force',
  R: 'recursive',
  d: 'delete',
  a: 'all',
  v: 'volumes',
};

/** Whether an entry of a backend's deny list, such as `rm -rf`, is in a command, however its options are spelled. */
export function matchesDenied(entry: string, name: string, args: readonly Arg[]): boolean {
  const [program, ...wanted] = entry.trim().split(/\s+/);
  if (!program || baseName(program) !== name) return false;
  const words = args.map(({ text }) => text);
  const letters = new Set(
    words.filter((word) => /^-[A-Za-z]/.test(word)).flatMap((word) => [...word.slice(1)]),
  );
  const hasLetter = (letter: string) =>
    letters.has(letter) ||
    (letter === 'r' && letters.has('R')) ||
    (LONG[letter] !== undefined &&
      words.some(
        (word) =>
          word.length > 4 && word.startsWith('--') && `--${LONG[letter]}`.startsWith(word.replace(/=.*/, '')),
      ));
  // A word that is not known may be the option that is looked for.
  const unknown = args.some((arg) => !arg.literal && !arg.plain && !arg.below);
  return wanted.every((word) => {
    if (words.includes(word) || words.some((given) => given.startsWith(`${word}=`))) return true;
    if (/^-[A-Za-z]+$/.test(word)) return unknown || [...word.slice(1)].every(hasLetter);
    return words.some((given) => trimmed(given) === trimmed(word));
  });
}

const trimmed = (word: string): string => (word.length > 1 ? word.replace(/\/+$/, '') : word);

export const baseName = (program: string): string => program.slice(program.lastIndexOf('/') + 1);
