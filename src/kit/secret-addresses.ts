import type { FoundSecret } from './find-secrets.ts';
import { isSecretValue } from './secret-value.ts';

/** `scheme://user:password@host`; the last `@` before the host ends the password. */
const USER_INFO = /:\/\/([^\s/:@"'<>\\`]{0,100}):([^\s/"'<>\\`]{1,200})@(?=[\w[{$%.-])/g;
/** `https://token@host`: a name alone is no secret, what was drawn by lot is one. */
const TOKEN_INFO = /:\/\/([A-Za-z0-9_.~-]{20,200})@(?=[\w[])/g;

export function findInAddresses(text: string, found: FoundSecret[]): void {
  if (!text.includes('://')) return;
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
