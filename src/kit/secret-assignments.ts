import type { FoundSecret } from './find-secrets.ts';
import { isToldValue, toldAfter, toldBefore } from './secret-telling.ts';
import { type Assigned, isSecretValue, type Strength } from './secret-value.ts';

/** Words that a telling name has in it. Looked for first, because nearly every text has none of them. A mark is none. */
const KEYWORD =
  /\[secret:[\w.-]{1,80}\]|pass(?:word|wd|phrase|code)?|pwd|bindpw|secret|token|credential|key|auth|signature|\bsig(?==)|\botp\b|\bpin\b|requirepass|identified\s{1,4}by|密码|口令|密钥|秘钥|令牌|凭证|凭据|验证码|动态码/gi;

/** The same, as plain words: whether any of them is there is told far more quickly. */
const WORDS =
  'pass pwd bindpw secret token credential key auth signature sig= otp pin identified 密码 口令 密钥 秘钥 令牌 凭证 凭据 验证码 动态码'.split(
    ' ',
  );

const CHINESE: Readonly<Record<string, Strength>> = {
  密码: 'password',
  口令: 'password',
  密钥: 'token',
  秘钥: 'token',
  令牌: 'token',
  凭证: 'token',
  凭据: 'token',
  验证码: 'code',
  动态码: 'code',
};
const OF_PASSWORD = new Set(
  'password passwd passphrase passcode pwd pass requirepass bindpw pgpassword mysqlpwd userpassword sshpass'.split(
    ' ',
  ),
);
const OF_TOKEN = new Set(
  'secret token credential credentials authtoken accesstoken apitoken apikey apisecret secretkey accesskey privatekey authkey bearer signature sig authorization auth'.split(
    ' ',
  ),
);
/** What makes a key a secret one. */
const KEY_OF = new Set(
  `api access secret private account master encryption encrypt signing sign auth shared storage service subscription
  license app client consumer write deploy session hmac admin webhook integration routing ingest function host cipher
  aes des rsa user security stripe datadog dd openai anthropic sendgrid twilio mailgun rollbar newrelic splunk gemini`
    .split(/\s+/)
    .filter(Boolean),
);
/** What may follow without making it something else than the value: not `_file`, `_url`, `_name`, `_count`, … */
const TAIL = new Set(
  'key keys access base value plain plaintext text raw base64 b64 hash new old current confirm confirmation prod production dev staging test live primary secondary master root admin user db database app ro rw'.split(
    ' ',
  ),
);

const IDENTIFIER = 48;
const PREFIX = /[A-Za-z0-9_.-]/;
const REST = /[A-Za-z0-9_-]{0,32}/y;
/** Between a name and its value. Quotes may be escaped, as often as one text was put into another. */
const PAIR =
  /\\{0,7}["']?\s{0,4},?(?:\s|\\n|[{}]|- ){0,24}\\{0,7}["']?value\\{0,7}["']?[ \t]{0,4}[:=][ \t]{0,4}/iy;
const SIGN = /\\{0,7}["'`]?\]?[ \t]{0,8}(=>|:=|={1,3}|[:]|->)[ \t]{0,8}/y;
const COLON =
  /\\{0,7}["'`*]{0,3}\]?[ \t]{0,8}(?:[(（][^()（）\n]{0,30}[)）][ \t]{0,4})?[::]\*{0,2}[ \t]{0,8}/y;
const SAYS =
  /[ \t]{0,4}(?:\b(?:is now|is|was|are|equals|set to|changed to|to be)\b|已?改为|改成|设置?为|设置?成|就?是|换成|为|叫)[ \t]{0,4}[::]?[ \t]{0,4}/iy;
const BESIDE = /[ \t]{1,8}|(?=["'`“「])/y;
/** The value of a YAML key on the next line. */
const BLOCK = /[ \t]{0,4}:[ \t]{1,4}[|>][-+]?[ \t]{0,4}\r?\n[ \t]{1,20}/y;
/** JSON in an address. */
const ENCODED = /%2[27](?:%20)?%3A(?:%20)?%2[27]/iy;
const OPENED = /\(\s{0,4}(?=\\{0,7}["'`])/y;
const OPEN = /(\\{0,7})(["'`])|([“「『‘])/y;
const CLOSING: Readonly<Record<string, string>> = { '“': '”', '「': '」', '『': '』', '‘': '’' };
const LONGEST = 400;

/** Values that are assigned to names such as `DB_PASSWORD`, `api key` or `密码`, in whatever way that is written. */
export function findAssigned(text: string, found: FoundSecret[]): void {
  const lower = text.toLowerCase();
  if (!WORDS.some((word) => lower.includes(word))) return;
  const keyword = new RegExp(KEYWORD);
  let done = 0;
  for (let match = keyword.exec(text); match; match = keyword.exec(text)) {
    if (match.index < done || match[0].startsWith('[')) continue;
    const name = nameAt(text, match.index, match[0], done);
    if (!name) continue;
    done = name.end;
    keyword.lastIndex = Math.max(keyword.lastIndex, name.end);
    const value = valueAfter(text, name) ?? told(text, name);
    if (!value) continue;
    found.push(value);
    done = Math.max(done, value.end);
    keyword.lastIndex = done;
  }
}

interface Name {
  readonly start: number;
  readonly end: number;
  readonly strength: Strength;
  readonly flag: boolean;
  readonly chinese: boolean;
}

function nameAt(text: string, at: number, word: string, from: number): Name | undefined {
  const chinese = CHINESE[word];
  if (chinese) return { start: at, end: at + word.length, strength: chinese, flag: false, chinese: true };
  let start = at;
  while (start > from && at - start < IDENTIFIER && PREFIX.test(text.charAt(start - 1))) start--;
  // `%22password%22`: what an escape ends with is no part of the name.
  if (text.charAt(start - 1) === '%' && at - start >= 2) start += 2;
  REST.lastIndex = at + word.length;
  const end = at + word.length + (REST.exec(text)?.[0].length ?? 0);
  const whole = text.slice(start, end);
  const strength = /^identified/i.test(word)
    ? 'password'
    : strengthOf(whole, text.slice(Math.max(0, start - 12), start));
  if (!strength) return undefined;
  const flag = /^-{1,2}[A-Za-z]/.test(whole) && /[\s"']|^$/.test(text.charAt(start - 1));
  return { start, end, strength, flag, chinese: false };
}

/** By the words that the name is made of, the last of which says what it is. */
function strengthOf(name: string, before = ''): Strength | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  let last = words.length - 1;
  while (
    last > 0 &&
    (TAIL.has(words[last] ?? '') || /^\d+$/.test(words[last] ?? '')) &&
    !isName(words, last, before)
  )
    last--;
  return isName(words, last, before);
}

function isName(words: readonly string[], at: number, before: string): Strength | undefined {
  const word = (words[at] ?? '').replace(/\d+$/, '');
  if (OF_PASSWORD.has(word) || /^[a-z]{0,8}(?:password|passwd)$/.test(word)) return 'password';
  if (word === 'otp' || word === 'pin') return 'code';
  if (OF_TOKEN.has(word)) return 'token';
  if (word !== 'key')
    return /^(?:api|access|secret|private|auth|account)key$/.test(word) ? 'token' : undefined;
  const kind = words[at - 1] ?? /([A-Za-z]+)[ _-]$/.exec(before)?.[1]?.toLowerCase() ?? '';
  return KEY_OF.has(kind) ? 'token' : words.length > 1 ? 'key' : undefined;
}

function valueAfter(text: string, name: Name): FoundSecret | undefined {
  const opened = wayTo(text, name);
  const piece = opened && pieceAt(text, opened.at);
  if (!piece) return undefined;
  const { value, quoted, start, end } = piece;
  const prose = !quoted && /^[ \t]+[A-Za-z]/.test(text.slice(end, end + 12));
  const { strength, chinese } = name;
  // Chinese goes on in Chinese; a word in Latin letters after it is the value.
  const how = opened.how === 'says' && chinese ? 'colon' : opened.how;
  if (!isSecretValue({ strength, how, quoted, value, prose: prose && !chinese })) return undefined;
  return { start, end, kind: kindOf(strength) };
}

/** The value that a sentence tells: after the name and what it is for, or before it. */
function told(text: string, name: Name): FoundSecret | undefined {
  // Credentials that somebody tells are what one signs in with.
  const credential = /^(?:credentials?|凭[证据])$/i.test(text.slice(name.start, name.end));
  const strength = credential ? 'password' : name.strength;
  for (const at of toldAfter(text, name)) {
    const piece = pieceAt(text, at);
    if (piece && isToldValue(strength, piece.quoted, piece.value))
      return { start: piece.start, end: piece.end, kind: kindOf(strength) };
  }
  const first = toldBefore(text, name);
  return first && isToldValue(strength, false, text.slice(first.start, first.end))
    ? { ...first, kind: kindOf(strength) }
    : undefined;
}

const kindOf = (strength: Strength): string =>
  strength === 'password' || strength === 'code' ? strength : 'token';

/** What stands at a place, without the quotes around it. */
function pieceAt(
  text: string,
  at: number,
): { start: number; end: number; value: string; quoted: boolean } | undefined {
  OPEN.lastIndex = at;
  const quote = OPEN.exec(text);
  const start = quote ? at + quote[0].length : at;
  const end = quote ? closingOf(text, start, quote) : bareEnd(text, start);
  return end > start ? { start, end, value: text.slice(start, end), quoted: quote !== null } : undefined;
}

/** Where the value begins, and in what way it is tied to the name. */
function wayTo(text: string, { start, end, flag }: Name): { at: number; how: Assigned } | undefined {
  const after = (pattern: RegExp): number | undefined => {
    pattern.lastIndex = end;
    return pattern.test(text) ? pattern.lastIndex : undefined;
  };
  const inTag = /[<:]/.test(text.charAt(start - 1)) && text.charAt(end) === '>';
  if (inTag) return { at: end + 1, how: 'sign' };
  const direct = after(BLOCK) ?? after(ENCODED);
  if (direct !== undefined) return { at: direct, how: 'sign' };
  const pair = after(PAIR);
  if (pair !== undefined) return { at: pair, how: 'sign' };
  const colon = after(COLON);
  if (colon !== undefined && !/[:=>]/.test(text.charAt(colon))) {
    // In quotes on the left it is a field of some data, and what follows its value.
    return { at: colon, how: /["']/.test(text.charAt(end)) || text.charAt(end) === '\\' ? 'sign' : 'colon' };
  }
  const sign = after(SIGN);
  if (sign !== undefined) return { at: sign, how: 'sign' };
  const call = after(OPENED);
  if (call !== undefined) return { at: call, how: 'sign' };
  const says = after(SAYS);
  if (says !== undefined) return { at: says, how: 'says' };
  const beside = after(BESIDE);
  return beside === undefined ? undefined : { at: beside, how: flag ? 'sign' : 'beside' };
}

function closingOf(text: string, from: number, quote: RegExpExecArray): number {
  const [, slashes = '', mark, other] = quote;
  const closing = other ? (CLOSING[other] ?? other) : `${slashes}${mark}`;
  for (let at = text.indexOf(closing, from); at !== -1; at = text.indexOf(closing, at + 1)) {
    if (at - from > LONGEST || text.slice(from, at).includes('\n')) return bareEnd(text, from);
    // One with more slashes stands deeper inside.
    if (text.charAt(at - 1) !== '\\' || at === from) return at;
  }
  return bareEnd(text, from);
}

const BARE = /[^\s"'`<>\\,;&|\u3000-\u303f\u4e00-\u9fff\uff01-\uff0f\uff1a-\uff1f\u2018-\u201f]{0,400}/y;
const NEXT = /[,;&|](?:\s|$|["'\\]|\s{0,2}["']?[A-Za-z_][\w.-]{0,40}["']?\s{0,2}[=:])/y;

/** Up to a space, a quote, Chinese, or what separates it from the next assignment. */
function bareEnd(text: string, from: number): number {
  let end = from;
  while (end - from < LONGEST) {
    BARE.lastIndex = end;
    BARE.test(text);
    end = Math.max(end, BARE.lastIndex);
    const char = text.charAt(end);
    if (char === '\\' ? /[nrt"'\\`]/.test(text.charAt(end + 1)) : !/[,;&|]/.test(char)) break;
    NEXT.lastIndex = end;
    if (char !== '\\' && NEXT.test(text)) break;
    end++;
  }
  while (end > from && /[.,;:]/.test(text.charAt(end - 1))) end--;
  const value = text.slice(from, end);
  for (const [open, close] of ['()', '{}', '[]']) {
    if (value.endsWith(close ?? '') && !value.includes(open ?? '')) return end - 1;
  }
  return end;
}
