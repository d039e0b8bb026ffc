import { createHash } from 'node:crypto';

const LONGEST = 100;

/**
 * A name that outside services take: letters, digits, `-`, and `_` before the code of any other character, so that two
 * names never become one.
 */
export function outsideName(...parts: readonly string[]): string {
  const text = parts
    .map((part) =>
      part
        .toWellFormed()
        .replace(/[^a-zA-Z0-9-]/gu, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`),
    )
    .join('_-');
  if (text.length <= LONGEST) return text;
  const number = createHash('sha256').update(text).digest('hex').slice(0, 24);
  return `${text.slice(0, LONGEST - number.length - 1)}-${number}`;
}
