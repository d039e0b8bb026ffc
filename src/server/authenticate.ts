import { createHash, timingSafeEqual } from 'node:crypto';
import type { Principal, Route } from '#spec/ports';
import { openRateLimit } from './rate-limit.ts';
import { type Refusal, retryAfter } from './refusal.ts';
import type { ServerAuth } from './server-auth.ts';

/** Twenty different wrong tokens at once, then one every six seconds. */
const GUESSES = { perSecond: 1 / 6, burst: 20 };
/** How many wrong tokens are known again. */
const MOST_WRONG = 5_000;

export interface Authenticator {
  /** Who sends this. A refusal where it is nobody. */
  principal(headers: Readonly<Record<string, string>>, address: string): Principal | Refusal;
  /** The headers that a route may see: without the token. */
  withoutToken(headers: Readonly<Record<string, string>>): Record<string, string>;
}

export function openAuthenticator(auth: ServerAuth, now: () => number): Authenticator {
  const guesses = openRateLimit(GUESSES, now);
  const wrong = new Set<string>();
  const known: readonly { digest: Buffer; principal: Principal }[] = [
    ...(auth.token ? [{ digest: digestOf(auth.token), principal: holder('token', 'admin') }] : []),
    ...(auth.readOnlyToken
      ? [{ digest: digestOf(auth.readOnlyToken), principal: holder('read_only_token', 'viewer') }]
      : []),
  ];
  return {
    principal(headers, address) {
      if (!auth.enabled) return { channel: 'loopback', user: 'local', role: 'admin' };
      const token = sentToken(headers, auth.header);
      if (!token) return unauthorized(auth, 'This needs a token.');
      const wait = guesses.wait(address);
      if (wait) return tooManyGuesses(wait);
      const digest = digestOf(token);
      let found: Principal | undefined;
      // Every digest is compared, whatever was found: the time tells nothing.
      for (const each of known) if (timingSafeEqual(each.digest, digest)) found = each.principal;
      if (found) return found;
      // The same wrong token again is a client with an old one, not a guess: it must not lock its neighbours out.
      const guess = `${address} ${digest.toString('base64')}`;
      if (!wrong.has(guess)) {
        guesses.take(address);
        if (wrong.size >= MOST_WRONG) wrong.clear();
        wrong.add(guess);
      }
      return unauthorized(auth, 'This token is not known here.');
    },
    withoutToken(headers) {
      const { authorization: _, [auth.header]: __, ...rest } = headers;
      return rest;
    },
  };
}

/** Fixed length, so that the comparison does not tell how long the token is. */
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const holder = (channel: string, role: Principal['role']): Principal => ({ channel, user: channel, role });

function sentToken(headers: Readonly<Record<string, string>>, header: string): string | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(headers['authorization'] ?? '')?.[1];
  return bearer ?? headers[header]?.trim();
}

const unauthorized = (auth: ServerAuth, detail: string): Refusal => ({
  status: 401,
  code: 'input.unauthorized',
  detail,
  hint: `Send it as 'Authorization: Bearer …' or in the header '${auth.header}'.`,
  headers: { 'www-authenticate': 'Bearer realm="hermes"' },
});

const tooManyGuesses = (wait: number): Refusal => ({
  status: 429,
  code: 'http.too_many_requests',
  detail: 'Too many wrong tokens came from this address.',
  headers: retryAfter(wait),
});

const RANKS: readonly Principal['role'][] = ['viewer', 'operator', 'approver', 'admin'];
const LEAST: Readonly<Record<'read' | 'write' | 'approve', Principal['role']>> = {
  read: 'viewer',
  write: 'operator',
  approve: 'approver',
};

/** Whether somebody may use a route that asks for a token. */
export const mayUse = (
  principal: Principal,
  access: Exclude<Route['access'], 'public' | 'signed'>,
): boolean => RANKS.indexOf(principal.role) >= RANKS.indexOf(LEAST[access]);
