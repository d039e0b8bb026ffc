import { stemEnglish } from './stem-english.ts';

/** What a character does: it ends a word, belongs to one, is written without spaces, or holds parts together. */
const [UNKNOWN, OTHER, WORD, CJK, CONNECTOR] = [0, 1, 2, 3, 4];
const IS_CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
const IS_WORD = /[\p{L}\p{N}\p{M}]/u;
const CONNECTORS = /[-_./:@'’]+/u;
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;
/** A word of ordinary text, with nothing in it to take apart. */
const PLAIN = /^[a-z]{1,64}$/;
const SURROGATE = /[\ud800-\udfff]/;
const MOST_CHARS = 64;
const REMEMBERED = 100_000;
const LONGEST_REMEMBERED = 24;

/**
 * Most words come again and again: what they were cut into is kept, under a number made of their characters while they
 * are read. So a word that is known need not be cut out of the text to be looked up.
 */
const remembered = new Map<number, { readonly chunk: string; readonly terms: readonly string[] }>();
const HASH_BITS = 0x3fffffff;

/**
 * The terms of a text, in order and with repetitions. Words are in lower case and stemmed. An identifier such as
 * `payment-service` or `maxPoolSize` gives itself and its parts. CJK text gives overlapping pairs of characters: every
 * word of two characters or more is found without a dictionary.
 */
export function cutTerms(text: string): string[] {
  const plain = ASCII.test(text) ? text : text.normalize('NFKC');
  const terms: string[] = [];
  let start = 0;
  let kind = OTHER;
  /** Where the word ended that the connectors since then may still go on with. */
  let end = 0;
  /** The number of the characters up to `end`, and up to here. */
  let hash = 0;
  let running = 0;
  const close = () => {
    if (kind === CJK) addPairs(plain.slice(start, end), terms);
    else if (kind === WORD) for (const term of wordTerms(plain, start, end, hash)) terms.push(term);
    kind = OTHER;
    running = 0;
  };
  for (let at = 0; at < plain.length; ) {
    const code = plain.codePointAt(at) as number;
    const found = code < kinds.length ? kinds[code] || learnKind(code) : kindOf(code);
    const after = at + (code > 0xffff ? 2 : 1);
    if (found === WORD || found === CJK) {
      if (found !== kind || (found === CJK && end !== at)) {
        close();
        [start, kind] = [at, found];
      }
      end = after;
      running = hash = (Math.imul(running, 31) + code) & HASH_BITS;
    } else if (found === CONNECTOR && kind === WORD) running = (Math.imul(running, 31) + code) & HASH_BITS;
    else close();
    at = after;
  }
  close();
  return terms;
}

const kinds = new Uint8Array(0x10000).fill(UNKNOWN);

function learnKind(code: number): number {
  const kind = kindOf(code);
  kinds[code] = kind;
  return kind;
}

function kindOf(code: number): number {
  const character = String.fromCodePoint(code);
  if (IS_CJK.test(character)) return CJK;
  if (IS_WORD.test(character)) return WORD;
  return CONNECTORS.test(character) ? CONNECTOR : OTHER;
}

function addPairs(run: string, terms: string[]): void {
  if (run.length > 1 && !SURROGATE.test(run)) {
    for (let at = 0; at < run.length - 1; at++) terms.push(run.slice(at, at + 2));
    return;
  }
  let before = '';
  for (const character of run) {
    if (before) terms.push(before + character);
    before = character;
  }
  if (before === run) terms.push(run);
}

function wordTerms(text: string, start: number, end: number, hash: number): readonly string[] {
  const known = remembered.get(hash);
  if (known && known.chunk.length === end - start && text.startsWith(known.chunk, start)) return known.terms;
  const chunk = text.slice(start, end);
  const terms = cutWord(chunk);
  if (chunk.length > LONGEST_REMEMBERED) return terms;
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(hash, { chunk, terms });
  return terms;
}

function cutWord(chunk: string): readonly string[] {
  if (PLAIN.test(chunk)) return [stemEnglish(chunk)];
  const word = chunk.replace(/['’]s(?=$|[^\p{L}])/giu, '');
  const parts = word.split(CONNECTORS).flatMap((part) => part.split(CAMEL));
  const whole = word.toLowerCase();
  const terms =
    parts.length === 1
      ? [stemEnglish(whole)]
      : [
          ...(/['’]/u.test(word) ? [] : [whole]),
          ...parts.filter((part) => part.length > 1).map((part) => stemEnglish(part.toLowerCase())),
        ];
  return terms.map((term) => (term.length > MOST_CHARS ? term.slice(0, MOST_CHARS) : term));
}
