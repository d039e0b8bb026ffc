import { stemEnglish } from './stem-english.ts';

/** Words that mean the same to whoever runs systems, in any language: each is read as the number of its meaning. */
export interface Thesaurus {
  /** What a text says: meanings where they are known (`=12`), other words as they are, in order. */
  read(text: string): readonly string[];
}

const LATIN = /[a-z0-9]+(?:'[a-z]+)?/y;
/** What may stand between the words of one phrase; any other mark ends it. */
const WITHIN = /[\s_/-]/;

/** Han characters of the basic plane, which is all that meanings are written in. */
const isHan = (code: number): boolean => code >= 0x3400 && code <= 0x9fff;

/**
 * A line is a meaning, its words apart by blanks; a dash stands for a blank within one. A word may stand in several
 * lines: it then means each.
 */
export function thesaurus(lines: readonly string[]): Thesaurus {
  const meanings = new Map<string, string[]>();
  /** How long the longest word is that begins so. */
  const longest = new Map<string, number>();
  const stems = new Map<string, string>();
  const stem = (word: string): string => {
    const known = stems.get(word) ?? stemEnglish(word);
    stems.set(word, known);
    return known;
  };
  const add = (key: string, first: string, length: number, meaning: string) => {
    const known = meanings.get(key) ?? [];
    if (!known.includes(meaning)) meanings.set(key, [...known, meaning]);
    longest.set(first, Math.max(longest.get(first) ?? 1, length));
  };
  for (const [at, line] of lines.entries())
    for (const word of line.toLowerCase().split(/\s+/).filter(Boolean)) {
      const parts = word.split('-').map(stem);
      if (isHan(word.charCodeAt(0))) add(word, word[0] as string, word.length, `=${at}`);
      else add(parts.join(' '), parts[0] as string, parts.length, `=${at}`);
    }

  /** The longest run of parts from `at` on that has a meaning, or the first part alone. */
  const take = (parts: readonly string[] | string, at: number, join: string): readonly [string, number] => {
    const first = parts[at] as string;
    for (let length = Math.min(longest.get(first) ?? 1, parts.length - at); length > 1; length--) {
      const run = parts.slice(at, at + length);
      const key = typeof run === 'string' ? run : run.join(join);
      if (meanings.has(key)) return [key, length];
    }
    return [first, 1];
  };

  return {
    read: (text) => {
      const found: string[] = [];
      let words: string[] = [];
      const push = (key: string) => {
        const known = meanings.get(key);
        if (known) found.push(...known);
        else found.push(key);
      };
      const flush = () => {
        for (let at = 0; at < words.length; ) {
          const [key, length] = take(words, at, ' ');
          push(key);
          at += length;
        }
        words = [];
      };
      const plain = text.normalize('NFKC').toLowerCase();
      for (let at = 0; at < plain.length; ) {
        const code = plain.charCodeAt(at);
        if (isHan(code)) {
          flush();
          const [key, length] = take(plain, at, '');
          push(key);
          at += length;
          continue;
        }
        LATIN.lastIndex = at;
        const latin = LATIN.exec(plain)?.[0];
        if (latin) words.push(stem(latin));
        else if (!WITHIN.test(plain[at] as string)) flush();
        at += latin?.length ?? 1;
      }
      flush();
      return found;
    },
  };
}
