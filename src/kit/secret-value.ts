/** What a value that was assigned to a telling name looks like. */

/** What stands for a value instead of being one, or was put in its place. */
const PLACEHOLDER =
  /^(?:<.*>?|\$[({A-Za-z_].*|\{.*|\[.*|\*+|x{3,}|\.{2,}.*|…+|-+|_+|%[\w{(].*|@\w+@|#\{.*|(?:env|process\.env|os\.environ|environ|getenv|vault|secrets?|secretmanager|secretsmanager|ssm|keyring|ref\+\w+|op|file|https?|arn|data|sha256|sha512|s3|gs|projects)[:./[(].*|(?:your|my|the|some|any|new|old|example|sample|dummy|fake|test)[-_ ][a-z_ -]*|[^\s]*(?:placeholder|redacted|masked|hidden|omitted)[^\s]*|\.{0,2}[/~][\w.~-]*(?:\/[\w.~-]*)*)$/i;

/** What is said about a value, or the type of one. */
const ABOUT = new Set(
  `a an and any are as at be been before but by can cannot changed check correct could default denied did do does
  empty encrypted ended enabled disabled enter error exists expired expires expiry failed failure false field file for
  forgot format found from generated given go had has have hashed here hidden how if in incorrect input invalid is it
  key leaked length login lost masked mismatch missing must name needed needs never new nil no none not nothing null of
  off ok on only optional or password please policy prompt provided rate redacted refresh rejected removed required reset
  revoked rotate rotated rotation secret set should sha so something stored str string strong tbd text that the then
  there this to todo token too true type undefined unknown unset updated use used user username valid value values
  varchar varies via was weak were what when where which will with wrong yes you your changeit number boolean bool int
  integer object bytes char authentication authorization manager store service bucket limit usage count budget`
    .split(/\s+/)
    .filter(Boolean),
);

/** What a sentence has and a pass phrase has not. */
const IN_SENTENCES = new Set(
  `a an and are as at be been by can cannot did do does enter for from has have how if in is it least must not of on or
  please required should that the this to too was were will with wrong you your invalid incorrect expired missing`
    .split(/\s+/)
    .filter(Boolean),
);

const NUMBER_AND_UNIT = /^[+-]?\d{1,12}(?:[.,]\d{1,6})?\s?(?:[a-z%µ/]{0,8})$/i;
/** A name that leads to a value: `DB_PASSWORD`, `payment-db-credentials`, `config.password`, `readPassword()`. */
const NAME =
  /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[-_./:][a-z]+)+|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+(?:\(.*)?|[A-Za-z_$][\w$.]*\([^)]*\)?;?)$/;
/** The same, without what a password of several words looks like. */
const CODE =
  /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+(?:\(.*)?|[A-Za-z_$][\w$.]*\([^)]*\)?;?)$/;
const WORD = /^[A-Za-z]+$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/;

export type Strength = 'password' | 'token' | 'key' | 'code';
export type Assigned = 'sign' | 'colon' | 'says' | 'beside';

export interface Candidate {
  readonly strength: Strength;
  readonly how: Assigned;
  readonly quoted: boolean;
  readonly value: string;
  /** Whether more words follow in the same line. */
  readonly prose: boolean;
}

/** Whether a value is one that nobody else should see. The less the name says, the more the value has to. */
export function isSecretValue({ strength, how, quoted, value, prose }: Candidate): boolean {
  if (PLACEHOLDER.test(value) || ABOUT.has(value.toLowerCase().replace(/[.!?:]+$/, ''))) return false;
  if (strength === 'code') return /^\d{4,8}$/.test(value);
  if (/\s/.test(value)) return strength === 'password' && how !== 'beside' && isPhrase(value);
  if (strength === 'password') return isPassword(value, how, quoted, prose);
  if (value.length < 8 || NUMBER_AND_UNIT.test(value) || DATE.test(value)) return false;
  if (!quoted && /[(){}<>]/.test(value)) return false;
  const mixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  if (strength === 'key' || how === 'beside') {
    return value.length >= 16 && mixed && /^[A-Za-z0-9+/=_~.-]+$/.test(value) && !isNameWithNumber(value);
  }
  if (NAME.test(value)) return false;
  if (mixed) return !isNameWithNumber(value) || value.length >= 32;
  if (/^\d+$/.test(value)) return value.length >= 16 && how === 'sign';
  return how === 'sign' && !WORD_LIST.test(value) && (value.length >= 12 || quoted);
}

const WORD_LIST = /^[a-z]+(?:[-_.][a-z]+)+$/i;
/** `payment-service-v2`, `token-bucket-1`: words, and a number at one of them. */
const isNameWithNumber = (value: string): boolean =>
  /^[a-z]+(?:[-_./](?:[a-z]+\d{0,3}|v?\d{1,4}))*$/i.test(value);

/** Several words in quotes: a pass phrase, unless they are a sentence about one. */
function isPhrase(value: string): boolean {
  const words = value.trim().toLowerCase().split(/\s+/);
  return words.length <= 8 && !words.some((word) => IN_SENTENCES.has(word.replace(/[^a-z]/g, '')));
}

function isPassword(value: string, how: Assigned, quoted: boolean, prose: boolean): boolean {
  if (value.length < 3) return false;
  const plain = WORD.test(value);
  if (how === 'beside') {
    if (quoted) return value.length >= 4 && !plain;
    const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
    return value.length >= 6 && kinds >= 3 && /\d/.test(value) && !NAME.test(value) && !DATE.test(value);
  }
  if (!quoted && (how === 'sign' ? CODE : NAME).test(value)) return false;
  if (quoted && /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value)) return false;
  if (how === 'sign') return true;
  if (how === 'says') {
    if (quoted) return value.length >= 4;
    return !plain && !NUMBER_AND_UNIT_SHORT.test(value) && /[\d!@#$%^&*+=?]/.test(value) && value.length >= 4;
  }
  if (quoted) return true;
  if (plain) return !prose && value.length >= 4;
  return value.length >= 4 && !DATE.test(value) && !(prose && NUMBER_AND_UNIT_SHORT.test(value));
}

const NUMBER_AND_UNIT_SHORT = /^\d{1,5}[a-z%]{0,6}$/i;
