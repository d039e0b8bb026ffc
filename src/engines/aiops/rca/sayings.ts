/** In small letters, with a gap where a name begins a new word: `HTTPCode_5XX` and `OOMKilled` are of several. */
export const apart = (text: string): string =>
  text.replace(/(?<=[A-Za-z\d])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/**
 * One of these sayings, in a text that was taken apart. It begins where a word does and may go on: `fail` is said by
 * `failures`. Its own words stand together or apart, as in rate limit, rate_limit and ratelimit. Short ones begin others by
 * accident: they count whole.
 */
export function sayingOf(sayings: readonly string[]): RegExp {
  const ways = sayings.map((saying) => `${saying.replace(/[ _]/g, '[ _.-]?')}${isShort(saying) ? ENDS : ''}`);
  return new RegExp(`${BEGINS}(?:${ways.join('|')})`);
}

const BEGINS = '(?<![a-z\\d])';
const ENDS = '(?![a-z\\d])';
const isShort = (saying: string): boolean => /^\w{1,3}$/.test(saying);

/** What programs say of what went wrong, in names of metrics, in lines and in titles of alerts. */
export const FAILURES = [
  'error',
  'fail',
  'exception',
  'timed? out',
  'reject',
  'refus',
  'fatal',
  'panic',
  'exceed',
  'exhaust',
  'cannot',
  'invalid',
  '错误',
  '失败',
  '异常',
  '超时',
];
const FAILED = sayingOf(FAILURES);
export const complains = (text: string): boolean => FAILED.test(apart(text));

/** What is said of certificates and licences that are over. */
export const EXPIRY = ['expir', '过期'];
