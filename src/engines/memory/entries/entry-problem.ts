import { tell } from '#kit/text';
import type { KnownSecrets } from '#kit/redact';
import { hasHidden } from '#kit/hidden-characters';
import type { Language } from '#kit/language';
import type { MemoryContext } from '#spec/data';
import { scanMemory } from '../scan/scan-memory.ts';

const MOST_CHARS = 4_000;
const LONGEST_KEY = 200;

/** A text as it is kept. */
export const tidy = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+/g, ' ')
    .trim();

/** Why something may not be an entry, in words; undefined when it may. */
export function entryProblem(
  { text, key = '' }: { readonly text: string; readonly key?: string | undefined },
  language: Language,
  secrets: KnownSecrets = [],
): string | undefined {
  if (!text) return tell('there is no text', '没有内容')[language];
  if (text.length > MOST_CHARS)
    return tell(
      `it has more than ${MOST_CHARS} characters: say it shorter`,
      `超过 ${MOST_CHARS} 个字符:请写短一些`,
    )[language];
  if (key.length > LONGEST_KEY || /\n/.test(key) || hasHidden(key))
    return tell(
      `its key has to be one line of at most ${LONGEST_KEY} characters that can be seen`,
      `键最多 ${LONGEST_KEY} 个可见字符,且只占一行`,
    )[language];
  return scanMemory(text, language, secrets).refused ?? (key ? scanMemory(key, language).refused : undefined);
}

const LONGEST_CONTEXT = 1_000;

/** What stood around an entry, without what may not be kept. It helps to find the entry, and is never a need. */
export function harmlessContext(context: MemoryContext | undefined): MemoryContext | undefined {
  const kept = Object.entries(context ?? {}).filter(
    ([, text]) => text && text.length <= LONGEST_CONTEXT && !scanMemory(text).refused,
  );
  return kept.length ? Object.fromEntries(kept) : undefined;
}
