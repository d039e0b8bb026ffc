/** A vowel, or a `y` after a consonant. */
const VOWEL = /[aeiou]|(?<=[^aeiou])y/;
const ENDS_DOUBLE = /([^aeiouylsz])\1$/;
const ENDS_SHORT = /(?:^|[^aeiouy])[^aeiou]?[aeiouy][^aeiouwxy]$/;

const FIRST_SUFFIXES: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['alism', 'al'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['logi', 'log'],
  ['eli', 'e'],
];

const SECOND_SUFFIXES: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

const LAST_SUFFIXES =
  /(?:ement|ance|ence|able|ible|ment|(?<=[st])ion|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou)$/;

/** Runs of vowels that a consonant follows: the measure that Porter's rules are stated in. */
function measure(stem: string): number {
  let runs = 0;
  let afterVowel = false;
  for (let at = 0; at < stem.length; at++) {
    const letter = stem[at] as string;
    const isVowel =
      'aeiou'.includes(letter) || (letter === 'y' && at > 0 && !'aeiou'.includes(stem[at - 1] as string));
    if (afterVowel && !isVowel) runs += 1;
    afterVowel = isVowel;
  }
  return runs;
}

/**
 * The stem of a lower-case English word after Porter (1980). Words that only differ in their endings share it;
 * it need not be a word itself.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stem = stripPlural(word);
  stem = stripTense(stem);
  if (stem.endsWith('y') && VOWEL.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaceSuffix(stem, FIRST_SUFFIXES);
  stem = replaceSuffix(stem, SECOND_SUFFIXES);
  const last = LAST_SUFFIXES.exec(stem);
  if (last && measure(stem.slice(0, last.index)) > 1) stem = stem.slice(0, last.index);
  return stripEnd(stem);
}

function stripPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function stripTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const cut = word.replace(/(?:ed|ing)$/, '');
  if (cut === word || !VOWEL.test(cut)) return word;
  if (/(?:at|bl|iz)$/.test(cut)) return `${cut}e`;
  if (ENDS_DOUBLE.test(cut)) return cut.slice(0, -1);
  return measure(cut) === 1 && ENDS_SHORT.test(cut) ? `${cut}e` : cut;
}

function replaceSuffix(word: string, suffixes: readonly (readonly [string, string])[]): string {
  for (const [suffix, by] of suffixes) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    return measure(stem) > 0 ? stem + by : word;
  }
  return word;
}

function stripEnd(word: string): string {
  let stem = word;
  if (stem.endsWith('e')) {
    const cut = stem.slice(0, -1);
    const size = measure(cut);
    if (size > 1 || (size === 1 && !ENDS_SHORT.test(cut))) stem = cut;
  }
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem;
}
