import type { FoundSecret } from './find-secrets.ts';

/** What vendors begin their keys with, and how the rest is made. Each has a length at which it ends for certain. */
const SHAPES: readonly (readonly [kind: string, shape: string])[] = [
  ['aws-key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['cloud-key', '(?:LTAI|AKID)[A-Za-z0-9]{12,64}'],
  ['google-key', 'AIza[A-Za-z0-9_-]{30,100}|ya29\\.[A-Za-z0-9_-]{20,1000}|GOCSPX-[A-Za-z0-9_-]{20,100}'],
  ['jwt', '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]{4,})?'],
  ['github-token', '(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,255}'],
  ['slack-token', 'xox[a-z](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,255}|xapp-\\d-[A-Za-z0-9-]{10,255}'],
  ['sendgrid-key', 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}'],
  ['telegram-token', '(?:bot)?\\d{8,10}:AA[A-Za-z0-9_-]{30,64}'],
  ['token', '(?<![A-Za-z0-9_.])s\\.[A-Za-z0-9]{24}(?![A-Za-z0-9_.])'],
  ['azure-secret', '[A-Za-z0-9_.~-]{3}\\dQ~[A-Za-z0-9_.~-]{31,34}'],
  ['discord-token', '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}'],
  ['mailchimp-key', '[0-9a-f]{32}-us\\d{1,2}(?![A-Za-z0-9])'],
  ['twilio-key', 'SK[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['token', '(?:hv[sbr]|atlasv1|dp\\.(?:st|pt|ct|sa)(?:\\.[a-z0-9_-]{2,35})?)\\.[A-Za-z0-9_-]{20,255}'],
  ['key', '(?:sk|pk|rk|whsec|sess)[-_](?:[a-z0-9]{2,8}[-_]){0,3}[A-Za-z0-9_-]{12,255}'],
  [
    'token',
    '(?:gsk|hf|fw|tgp|npm|pypi|glpat|gldt|glrt|glsa|glc|gloas|glft|nvapi|xai|pplx|r8|dop_v1|doo_v1|dor_v1|shp(?:at|ca|pa|ss)|dckr_(?:pat|oat)|sntry[su]|lin_api|ntn|secret|tskey|fo1|fm2|figd|sbp|nfp|pscale_(?:tkn|pw|oauth)|PMAK|NRAK|NRII|CCIPAT|bkua|pul|AKCp|ATATT|ATBB|ATCTT|dapi|sq0[a-z]{3}|EAA[A-Z]|rubygems|tfp|hvs|vault|okta|cfut|cfat|phc|phx|key|LTAI|ops_eyJ|AGE-SECRET-KEY)[-_]?(?:[a-z0-9]{2,8}[-_]){0,3}[A-Za-z0-9_-]{16,400}',
  ],
];

/** A run of key characters begins once, so that every run is looked at once. */
const TOKEN = new RegExp(`(?<![A-Za-z0-9_])(?:${SHAPES.map(([, shape]) => `(${shape})`).join('|')})`, 'g');

/** The paths of addresses that are keys themselves. */
const HOOK =
  /(?<=\b(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks|open\.(?:feishu|larksuite)\.(?:cn|com)\/open-apis\/bot\/v2\/hook|[a-z0-9.-]{1,60}\.webhook\.office\.com\/webhookb2)\/)[A-Za-z0-9/@_-]{16,300}/gi;

/** The same, where the key stands in the query. */
const HOOK_KEY = /(?<=\bqyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/[a-z_]{1,20}\?key=)[A-Za-z0-9-]{16,80}/gi;

/** Hashes of passwords as systems keep them: `$6$salt$hash`, `$2b$12$…`, `$apr1$…`, `$argon2id$…`. */
const HASHED =
  /\$(?:[1567y]|2[abxy]?|apr1|gy|argon2(?:id|i|d))\$(?:[A-Za-z0-9=,./]{1,40}\$){0,4}[A-Za-z0-9./+]{20,120}/g;

/** Keys are at least this long, and words seldom are. */
const SHORTEST = 15;
const KEY_CHARACTER = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_.:~-')
  KEY_CHARACTER[char.charCodeAt(0)] = 1;

/** Goes over the text once, and looks closer at long runs of key characters alone. */
export function findTokens(text: string, found: FoundSecret[]): void {
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code < 128 && KEY_CHARACTER[code] === 1) continue;
    if (at - start >= SHORTEST) lookAt(text.slice(start, at), start, found);
    start = at + 1;
  }
  const all = (pattern: RegExp, kind: string): void => {
    for (const { 0: value, index } of text.matchAll(pattern))
      found.push({ start: index, end: index + value.length, kind });
  };
  if (text.includes('hook')) for (const pattern of [HOOK, HOOK_KEY]) all(pattern, 'webhook');
  if (text.includes('$')) all(HASHED, 'password-hash');
}

function lookAt(run: string, offset: number, found: FoundSecret[]): void {
  for (const match of run.matchAll(TOKEN)) {
    const at = match.slice(1).findIndex((part) => part !== undefined);
    const kind = SHAPES[at]?.[0] ?? 'token';
    const [value] = match;
    if ((kind === 'key' || kind === 'token') && !isVaried(value)) continue;
    found.push({ start: offset + match.index, end: offset + match.index + value.length, kind });
  }
  for (const { 0: value, index } of run.matchAll(PACKED)) {
    if (isPackedPair(value))
      found.push({ start: offset + index, end: offset + index + value.length, kind: 'authorization' });
  }
  if (run.length < DRAWN_FROM) return;
  for (const { 0: value, index } of run.matchAll(RUN)) {
    if (isDrawn(value))
      found.push({ start: offset + index, end: offset + index + value.length, kind: 'random' });
  }
}

/** Words with hyphens between them are no key; a key has digits among letters. */
function isVaried(value: string): boolean {
  const digits = value.match(/\d/g)?.length ?? 0;
  // No word is that long.
  if (digits === 0 && /[A-Za-z]{14,}/.test(value)) return true;
  if (digits === 0)
    return value.length >= 24 && /[a-z][A-Z]/.test(value) && !/[-_][A-Z]?[a-z]{2,}[-_]/.test(value);
  // `sk-learn-pipeline-v2`, `fw-edge-frankfurt-2-primary`: words, and a number beside them.
  return !/^[A-Za-z]+(?:[-_][A-Za-z]{2,}|[-_][a-z]{0,3}\d{1,4})+$/.test(value);
}

/** What may be `user:password` in base64. */
const PACKED = /(?<![A-Za-z0-9+/=_.:~-])[A-Za-z0-9+/]{14,120}={0,2}(?![A-Za-z0-9+/=_.:~-])/g;

/** Whether it unpacks to a name, a colon and a password. Other words unpack to no letters at all. */
function isPackedPair(value: string): boolean {
  if (!hasBothCases(value) || value.replace(/=+$/, '').length % 4 === 1) return false;
  const plain = Buffer.from(value, 'base64').toString('latin1');
  return /^[A-Za-z_][\w.@-]{1,40}:[!-~]{4,80}$/.test(plain);
}

const hasBothCases = (value: string): boolean => /[a-z]/.test(value) && /[A-Z]/.test(value);

const DRAWN_FROM = 32;
/** What stands alone and may be drawn by lot, such as the secret half of an AWS key. Hashes are of one case. */
const RUN = /(?<![A-Za-z0-9+/=_.:~-])[A-Za-z0-9+/]{32,60}={0,2}(?![A-Za-z0-9+/=_~-])/g;

/** Changes between small letters, capitals and digits: about six in ten for what is drawn by lot, three for names. */
const DRAWN = 0.42;

function isDrawn(value: string): boolean {
  if (!/\d/.test(value) || !hasBothCases(value) || /(?:\/[a-z]{3,}){2}/.test(value)) return false;
  let changes = 0;
  for (let at = 1; at < value.length; at++) {
    if (classOf(value.charCodeAt(at)) !== classOf(value.charCodeAt(at - 1))) changes++;
  }
  return changes / value.length >= DRAWN;
}

const classOf = (code: number): number =>
  code >= 97 ? 2 : code >= 65 ? 1 : code >= 48 && code <= 57 ? 0 : 3;
