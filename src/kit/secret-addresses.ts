import type { FoundSecret } from './find-secrets.ts';
import { isSecretValue } from './secret-value.ts';

/** `scheme://user:password@host`; the last `@` before the host ends the password. */
const USER_INFO = /:\/\/([^\s/:@"'<>\\`]{0,100}):([^\s/"'<>\\`]{1,200})@(?=[\w[{$%.-])/g;
/** `https://token@host`: a name alone is no secret, what was drawn by lot is one. */
const TOKEN_INFO = /:\/\/([A-Za-z0-9_.~-]{20,200})@(?=[\w[])/g;

/** A password with a slash in it, which nobody escaped: told from a port and a path by the `@` and the host behind it. */
const SLASHED =
  /:\/\/([^\s/:@"'<>\\`]{1,100}):(?!\d{1,5}\/)([^\s/"'<>\\`@]{0,60}\/[^\s"'<>\\`@/]{0,60})@(?=[\w.-]{1,100}(?::\d|\/))/g;
/** `jdbc:oracle:thin:user/password@host`, `sqlplus user/password@host`. */
const ORACLE =
  /(?:jdbc:oracle:\w{2,5}:|\bsqlplus\s{1,4}(?:-\w\s{1,4}){0,3})([\w$#]{1,40})\/([^\s/@"'\\]{3,80})@/g;
/** A line of `.pgpass`: host, port, database, user, password. */
const PGPASS = /^(?:[\w.*-]{1,100}):(?:\d{2,5}|\*):(?:[\w*-]{1,60}):(?:[\w.*-]{1,60}):([^\s:]{4,100})$/gm;

export function findInAddresses(text: string, found: FoundSecret[]): void {
  if (/oracle|sqlplus/.test(text)) lastGroup(text, ORACLE, 1, found);
  if (/:(?:\d{2,5}|\*):/.test(text)) lastGroup(text, PGPASS, 0, found);
  if (!text.includes('://')) return;
  lastGroup(text, SLASHED, 1, found);
  for (const match of text.matchAll(USER_INFO)) {
    const [whole, user = '', value = ''] = match;
    const start = match.index + 4 + user.length;
    if (
      isSecretValue({ strength: 'password', how: 'sign', quoted: true, value, prose: false }) ||
      value.length < 3
    )
      found.push({ start, end: match.index + whole.length - 1, kind: 'url-password' });
  }
  for (const match of text.matchAll(TOKEN_INFO)) {
    const [, value = ''] = match;
    const start = match.index + 3;
    if (isSecretValue({ strength: 'token', how: 'sign', quoted: true, value, prose: false }))
      found.push({ start, end: start + value.length, kind: 'url-token' });
  }
}

/** Those whose last group is a password, which `after` characters follow. */
function lastGroup(text: string, pattern: RegExp, after: number, found: FoundSecret[]): void {
  for (const match of text.matchAll(pattern)) {
    const value = match.at(-1) ?? '';
    const end = match.index + match[0].length - after;
    if (isSecretValue({ strength: 'password', how: 'sign', quoted: true, value, prose: false }))
      found.push({ start: end - value.length, end, kind: 'url-password' });
  }
}
