import { isSecretValue, type Strength } from './secret-value.ts';

/**
 * How people tell a secret in words: its name, what it is for, a verb, and the value right after the verb. Or the value
 * first: `… is the password for staging`. The time for one name is bounded by the number of words that are looked at.
 */

/** What a name may be followed by and still be what the sentence is about; not `token bucket`, `password policy`. */
const START =
  /^(?:for|of|to|on|in|at|from|with|by|under|we|i|you|they|that|which|used|user|has|have|had|will|should|must|shall|can|got|gets|now|currently|still|changed?|sets?|reset|rotated|updated|switched|is|was|are|were)$/i;
/** After `is` or `was` the sentence goes on to the value only with one of these. */
const GOES_ON = /^(?:changed|set|reset|rotated|updated|switched|been|being|now|just|then|already|later)$/i;
/** Another thought begins. */
const STOP = /^(?:and|but|or|because|if|when|then|so|while|since|unless|until|before|after)$/i;
const CHANGES = /\b(?:set|sett|chang|reset|rotat|updat|switch|mov)[a-z]{0,4}\b/i;

const ASIDE = /[ \t]{0,4}(?:[((][^()()\n]{0,40}[))]|,[^,;.\n]{1,40},)/y;
const STEP = /[ \t]{1,4}\\{0,3}["'“]?([^\s,;。,;"'“”\\]{1,80})\\{0,3}["'”]?/y;
const NOW = String.raw`(?:[ \t]{1,4}(?:now|still|again|currently|just|actually|simply))?`;
const VERB = new RegExp(
  String.raw`(?:['’]s|[ \t]{1,4}(is|was|are|were|be|been|equals|reads|to))(?![\w-])${NOW}[ \t]{0,4}[::]?[ \t]{1,4}|[ \t]{0,4}[::][ \t]{0,4}|[ \t]{1,4}(?:={1,2}|-{1,2}|–|—|->|→)[ \t]{1,4}`,
  'iy',
);
const VERB_ZH = /(?:就?是|为|[成作]了?|[::=])[ \t]{0,4}[::]?[ \t]{0,4}/g;
const LONGEST_ZH = 40;
const MOST_WORDS = 9;

/** Where a value may begin, in the order in which they stand: the first that is one is told. */
export function* toldAfter(text: string, name: { start: number; end: number }): Generator<number> {
  yield* inChinese(text, name.end);
  let changes = CHANGES.test(lastOf(text, name.start));
  let at = name.end;
  for (let words = 0; words < MOST_WORDS; words++) {
    ASIDE.lastIndex = at;
    if (ASIDE.test(text)) at = ASIDE.lastIndex;
    VERB.lastIndex = at;
    const verb = VERB.exec(text);
    const to = verb?.[1]?.toLowerCase() === 'to';
    if (verb && (!to || changes)) yield VERB.lastIndex;
    STEP.lastIndex = at;
    const word = STEP.exec(text)?.[1];
    if (word === undefined || STOP.test(word) || /[.!?]$/.test(word)) return;
    if (words === 0 && !START.test(word)) return;
    at = word.endsWith(':') ? STEP.lastIndex - 1 : STEP.lastIndex;
    changes ||= CHANGES.test(word);
    if (!verb || to) continue;
    STEP.lastIndex = at;
    if (!GOES_ON.test(STEP.exec(text)?.[1] ?? '')) return;
  }
}

function* inChinese(text: string, from: number): Generator<number> {
  const rest = text.slice(from, from + LONGEST_ZH);
  const sentence = rest.slice(0, (rest.search(/[\n。,;,;"]/) + 1 || rest.length + 1) - 1);
  if (!/[一-鿿]/.test(sentence)) return;
  for (const { 0: verb, index } of sentence.matchAll(VERB_ZH)) {
    // Chinese that goes on in Chinese tells no value there.
    const at = from + index + verb.length;
    if (!/[一-鿿]/.test(text.charAt(at))) yield at;
  }
}

const lastOf = (text: string, end: number): string => {
  const before = text.slice(Math.max(0, end - 40), end);
  return before.slice(before.search(/[^.;\n。;]*$/));
};

const FIRST =
  /(?:^|[\s"'“「:,])([!#-&(-+\--~]{4,64})["'”」]?(?:[ \t]{1,3}(?:is|was|as)[ \t]{1,3}(?:(?:the|my|our|your|its|a)[ \t]{1,3})?(?:[\w-]{1,20}[ \t]{1,3}){0,3}|[ \t]{0,3}(?:作为|当作?|做|是)[^\n。,;,;]{0,24})$/i;
const FIRST_VERB = / (?:is|was|as) |作为|当|做|是/;
/** The name ends what is said of the value: it is no `token issuer`. */
const ENDS = /[ \t]{0,3}(?:$|[.,;!?)\n。,;!"'\\]|(?:for|of|to|on|in|at|from|now)\b|了)/y;
const LONGEST_FIRST = 110;

/** The value that stands before its name. */
export function toldBefore(
  text: string,
  { start, end }: { start: number; end: number },
): { start: number; end: number } | undefined {
  const before = text.slice(Math.max(0, start - LONGEST_FIRST), start);
  if (!FIRST_VERB.test(before)) return undefined;
  ENDS.lastIndex = end;
  if (!ENDS.test(text)) return undefined;
  const match = FIRST.exec(before);
  const value = match?.[1];
  if (!match || value === undefined) return undefined;
  const at = start - before.length + match.index + match[0].indexOf(value);
  return { start: at, end: at + value.length };
}

/** What a sentence about a secret has after its verb although it is none: versions, times, algorithms, files, hosts. */
const ORDINARY =
  /^(?:v?\d+(?:\.[\dx]+)+(?:[-+][A-Za-z0-9.]+)?|\d{1,2}:\d{2}(?::\d{2})?(?:am|pm|Z)?|\d+(?:st|nd|rd|th)|[A-Z]{2,6}[-_]?\d{1,4}(?:-[A-Z]{2,4})?|[a-z]+(?:-[a-z]+)*-\d{1,2}|[\w.-]+:\d+|#[\w-]+|@[\w.-]+|\d+(?:[-/]\d+)*\+?|[^@\s]+@[\w-]+(?:\.[\w-]+)+)$/;
const KNOWN_WORD =
  /^(?:1password|oauth2?(?:\.0)?|k8s|base64|bcrypt|ed25519|x509|argon2id?|pbkdf2|keepass2?|[\w.-]+\.(?:ya?ml|json|txt|md|env|pem|key|crt|conf|cfg|toml|ini|sh|io|com|net|org|dev|local|internal)(?::\d+)?)$/i;

/** Told in words a value has to look like one: a sentence goes on in many ways. */
export function isToldValue(strength: Strength, quoted: boolean, value: string): boolean {
  if (strength !== 'code' && (ORDINARY.test(value) || KNOWN_WORD.test(value))) return false;
  return isSecretValue({ strength, how: 'says', quoted, value, prose: true });
}
