import type { FoundSecret } from './find-secrets.ts';

/** After a header's name alone is `basic` more than a word. */
const AUTHORIZATION =
  /authorization\\{0,7}["'`]?\s{0,4}[:=,]\s{0,4}\\{0,7}["'`]?(?:(?:basic|bearer|token|apikey|digest|negotiate|hmac|splunk|genie\s?key|key|bot|sso-key)\s{1,4})?([A-Za-z0-9._~+/:=-]{6,4000})/gi;
const BEARER = /\bbearer\s{1,8}\\{0,7}["'`]?([A-Za-z0-9._~+/-]{12,4000}=*)/gi;
const COOKIE =
  /\b(?:set-)?cookie\\{0,7}["'`]?\s{0,4}[:=]\s{0,4}\\{0,7}["'`]?(?=[\w.-]{1,60}=)([^\s"'`\\\n]{3,4000}(?:; ?[\w.-]{1,60}=[^\s"'`\\;]{1,4000}){0,40})/gi;

const SCHEMES = /^(?:basic|bearer|token|apikey|digest|negotiate|none|null|required|header|headers)$/i;

/** What the headers of a request carry to say who sends it. */
export function findHeaders(text: string, found: FoundSecret[]): void {
  if (!/authorization|bearer|cookie/i.test(text)) return;
  const at = (match: RegExpExecArray, kind: string): FoundSecret => {
    const value = match[1] ?? '';
    const start = match.index + match[0].length - value.length;
    return { start, end: start + value.length, kind };
  };
  for (const match of text.matchAll(AUTHORIZATION)) {
    const value = match[1] ?? '';
    if (!SCHEMES.test(value) && /\d|[A-Z].*[a-z]|=$/.test(value)) found.push(at(match, 'authorization'));
  }
  for (const match of text.matchAll(BEARER)) {
    if (/\d|[A-Za-z]{16,}/.test(match[1] ?? '')) found.push(at(match, 'bearer'));
  }
  for (const match of text.matchAll(COOKIE)) {
    if (/\d/.test(match[1] ?? '')) found.push(at(match, 'cookie'));
  }
}
