import { dropHidden } from '#kit/hidden-characters';
import type { Language } from '#kit/language';
import { type KnownSecrets, redact } from '#kit/redact';
import { scanMemory } from '#engines/memory';

const LONGEST = 240;
const PEOPLE: readonly (readonly [RegExp, string])[] = [
  // What stands after the last point of a host is a word; after that of a version (`error_ratio@v2.3.1`) a number.
  [/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.[a-z]{2,63}\b/gi, '<mail>'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?\b/g, '<address>'],
  [/(?<![\w.])\+?\d(?:[ -]?\d){9,}(?![\w.])/g, '<number>'],
];

/** Keeps texts that were written by systems and people out of what is remembered, unless they are harmless. */
export interface Sieve {
  /** One short line without secrets, people and control characters; undefined when it may not be kept at all. */
  line(text: string, most?: number): string | undefined;
  /** A whole text that was built of such lines; undefined when it may not be kept. `what` names it in `refused`. */
  whole(text: string, what: string): string | undefined;
  /** What was left out, and why. */
  readonly refused: readonly string[];
}

export function openSieve(language: Language, secrets: KnownSecrets): Sieve {
  const refused: string[] = [];
  const isHarmless = (text: string, what: string): boolean => {
    const { refused: why } = scanMemory(text, language, secrets);
    if (why !== undefined) refused.push(`${what}: ${why}`);
    return why === undefined;
  };
  return {
    refused,
    line(text, most = LONGEST) {
      // Judged as it was said: what is masked first could hide what it was.
      if (!isHarmless(text, 'line')) return undefined;
      let plain = dropHidden(redact(text, secrets))
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim();
      for (const [pattern, mark] of PEOPLE) plain = plain.replace(pattern, mark);
      return plain.length > most ? `${plain.slice(0, most - 1).toWellFormed()}…` : plain;
    },
    whole: (text, what) => (isHarmless(text, what) ? text : undefined),
  };
}

/** A text as code within a line of Markdown, whatever backticks it has. */
export function inlineCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

/** Words of others within our Markdown: nothing in them is markup. */
export const plainMarkdown = (text: string): string => text.replace(/[\\`*[\]<>|]/g, '\\$&');
