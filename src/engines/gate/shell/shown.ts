import { escapeHidden } from './text-checks.ts';

const PLAIN = /^[\w@%+=:,./~*?-]+$/;
const LONGEST = 120;

/** A command as a person would write it, cut when it is long. */
export function showWords(words: readonly string[]): string {
  const line = words
    .slice(0, 40)
    .map((word) =>
      PLAIN.test(word) ? word : `'${word.slice(0, LONGEST).replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(' ');
  const safe = escapeHidden(line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line).replaceAll(
    '\n',
    '⏎',
  );
  return `\`${safe}\``;
}
